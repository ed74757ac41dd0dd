import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { projectQuery, type Project } from '../api/projects.ts';
import { meQuery, slotState, uiQuery } from '../api/ui.ts';
import { partAddress, partsAt } from '../plugins/parts.ts';
import { shellWords } from '../words.ts';
import { PageLink } from './PageLink.tsx';
import { Awaited } from './states.tsx';

/** A page below `/projects/:slug/`: the project's name and its parts, then the content. */
export function ProjectPage({ slug, children }: { slug: string; children: (project: Project) => ReactNode }) {
  const project = useQuery(projectQuery(slug));
  return (
    <Awaited of={project}>
      {(found) => (
        <>
          <ProjectHead project={found} />
          {children(found)}
        </>
      )}
    </Awaited>
  );
}

function ProjectHead({ project }: { project: Project }) {
  const [path] = useLocation();
  const { data: ui } = useQuery(uiQuery);
  const { data: me } = useQuery(meQuery);
  const base = `/projects/${project.slug}`;
  const parts = [
    { href: base, label: shellWords.project.review, current: false },
    ...(slotState(ui, 'deployments') === 'absent' ? [] : [{ href: `${base}/deployments`, label: shellWords.project.deployments, current: path.startsWith(`${base}/deployments`) || path.startsWith(`${base}/compare`) }]),
    ...partsAt(ui, 'project-tab', { user: me?.user ?? null, canManage: project.canManage, canComment: project.canComment }).map((part) => {
      const href = `${base}/x/${partAddress(part)}`;
      return { href, label: part.title, current: path === href };
    }),
    ...(project.canManage ? [{ href: `${base}/settings/general`, label: shellWords.project.settings, current: path.startsWith(`${base}/settings`) }] : []),
  ];
  return (
    <div className="project-head">
      <div className="project-title">
        <h1>{project.name}</h1>
        <span className="badge">{shellWords.access[project.access]}</span>
        {project.activeDeploymentId !== null && (
          <a className="icon-button" href={project.openUrl ?? project.url} target="_blank" rel="noopener" aria-label={shellWords.project.open} title={shellWords.project.open}>
            <ExternalLink size={16} aria-hidden />
          </a>
        )}
      </div>
      <nav className="tabs" aria-label={shellWords.project.tabs}>
        {parts.map(({ href, label, current }) => (
          <PageLink key={href} href={href} className="tab" data-state={current ? 'active' : 'inactive'} aria-current={current ? 'page' : undefined}>
            {label}
          </PageLink>
        ))}
      </nav>
    </div>
  );
}
