import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '../api/projects.ts';
import { PageLink } from '../shell/PageLink.tsx';
import { Awaited } from '../shell/states.tsx';
import { useTitle } from '../shell/useTitle.ts';
import { projectsWords } from '../words.ts';

/** `/`: the projects the reader may see. */
export function Projects() {
  useTitle(projectsWords.title);
  const projects = useQuery(projectsQuery);
  return (
    <>
      <h1 className="page-title">{projectsWords.title}</h1>
      <Awaited of={projects}>
        {(found) => (
          <ul>
            {found.map(({ id, slug, name }) => (
              <li key={id}>
                <PageLink href={`/projects/${slug}`}>{name}</PageLink> · <PageLink href={`/projects/${slug}/deployments`}>deployments</PageLink>
              </li>
            ))}
          </ul>
        )}
      </Awaited>
    </>
  );
}
