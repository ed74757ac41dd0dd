/** Plugins' own pages: `/x/:slot/:index`, tabs of projects (`/projects/:slug/x/…`), and pages for admins (`/instance/x/…`). */
import { useQuery } from '@tanstack/react-query';
import type { Project } from '../api/projects.ts';
import { meQuery, uiQuery } from '../api/ui.ts';
import { Awaited, Gone } from '../shell/states.tsx';
import { useTitle } from '../shell/useTitle.ts';
import { partWords } from '../words.ts';
import { AppPluginFrame } from './PluginFrame.tsx';
import { partAddress, partsAt, type Part, type Place, type Viewer } from './parts.ts';

export default function PartPage({ at, rest, project }: { at: Place; rest: string; project?: Project }) {
  const ui = useQuery(uiQuery);
  const me = useQuery(meQuery);
  return (
    <Awaited of={ui}>
      {(known) => (
        <Awaited of={me}>
          {({ user }) => {
            const found = partsAt(known, at, viewer(user, project)).find((part) => partAddress(part) === rest.replace(/\/$/, ''));
            if (!found) return <Gone title={partWords.noPage}>{partWords.noPageWhy}</Gone>;
            return <Shown part={found} user={user} {...(project ? { project } : {})} />;
          }}
        </Awaited>
      )}
    </Awaited>
  );
}

function Shown({ part, user, project }: { part: Part; user: Viewer['user']; project?: Project }) {
  useTitle(project ? `${part.title} · ${project.name}` : part.title);
  const live = project?.activeDeploymentId ?? null;
  return (
    <section className="plugin-page">
      {!project && <h1 className="page-title">{part.title}</h1>}
      <AppPluginFrame key={part.entry} part={part} user={user} project={project ? { id: project.id, slug: project.slug, name: project.name } : null} deployment={live === null ? null : { id: live, number: null }} />
    </section>
  );
}

function viewer(user: Viewer['user'], project: Project | undefined): Viewer {
  return { user, canManage: project?.canManage ?? false, canComment: project?.canComment ?? false };
}
