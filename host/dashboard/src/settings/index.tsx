/** `/projects/:slug/settings/…` */
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { Project } from '../api/projects.ts';
import { getProjectById, type ProjectSettings } from '../api/settings.ts';
import { slotState, uiQuery } from '../api/ui.ts';
import '../forms/forms.css';
import { Sections } from '../forms/Sections.tsx';
import { Awaited, Gone } from '../shell/states.tsx';
import { useTitle } from '../shell/useTitle.ts';
import { settingsWords as words } from '../words/settings.ts';
import { Access } from './Access.tsx';
import { Danger } from './Danger.tsx';
import { General } from './General.tsx';
import { Participants } from './Participants.tsx';
import { Repository } from './repository/Repository.tsx';

const PARTS = ['general', 'access', 'participants', 'repository', 'danger'] as const;
type Part = (typeof PARTS)[number];

export default function Settings({ project }: { project: Project }) {
  const [path] = useLocation();
  const { data: ui } = useQuery(uiQuery);
  const full = useQuery({ queryKey: ['project', 'full', project.id], queryFn: ({ signal }) => getProjectById(project.id, signal) });
  const base = `/projects/${project.slug}/settings`;
  const wanted = path.slice(base.length + 1).split('/')[0] ?? '';
  const hasRepo = slotState(ui, 'repo') !== 'absent';
  const parts = PARTS.filter((part) => part !== 'repository' || hasRepo);
  const part = wanted === '' ? 'general' : parts.find((each) => each === wanted);
  useTitle(part && words.sections[part], words.title, project.name);
  if (!project.canManage) return <Gone title={words.mayNot}>{words.mayNotWhy}</Gone>;
  return (
    <Sections label={words.parts} current={`${base}/${part ?? ''}`} links={parts.map((each) => ({ href: `${base}/${each}`, label: words.sections[each] }))}>
      <Awaited of={full} loading={words.loading}>
        {(settings) => (part === undefined ? <Gone /> : <Shown part={part} project={settings} />)}
      </Awaited>
    </Sections>
  );
}

function Shown({ part, project }: { part: Part; project: ProjectSettings }) {
  switch (part) {
    case 'general':
      return <General project={project} />;
    case 'access':
      return <Access project={project} />;
    case 'participants':
      return <Participants project={project} />;
    case 'repository':
      return <Repository project={project} />;
    case 'danger':
      return <Danger project={project} />;
  }
}
