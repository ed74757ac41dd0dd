import type { Project } from '../api/projects.ts';
import { useTitle } from '../shell/useTitle.ts';
import { deploymentsWords } from '../words.ts';

export default function Deployments({ project }: { project: Project }) {
  useTitle(deploymentsWords.title, project.name);
  return <h2 className="page-title">{deploymentsWords.title}</h2>;
}
