import type { Project } from '../api/projects.ts';
import { useTitle } from '../shell/useTitle.ts';
import { settingsWords } from '../words.ts';

export default function Settings({ project }: { project: Project }) {
  useTitle(settingsWords.title, project.name);
  return <h2 className="page-title">{settingsWords.title}</h2>;
}
