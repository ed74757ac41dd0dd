import { useQuery } from '@tanstack/react-query';
import { projectQuery } from '../api/projects.ts';
import { Brand } from '../shell/Brand.tsx';
import { Awaited } from '../shell/states.tsx';
import { useTitle } from '../shell/useTitle.ts';
import { reviewWords } from '../words.ts';

/** `/projects/:slug`: the prototype with its comments. */
export function Review({ slug }: { slug: string }) {
  const project = useQuery(projectQuery(slug));
  useTitle(reviewWords.title, project.data?.name);
  return (
    <>
      <header className="site-head">
        <Brand />
      </header>
      <Awaited of={project}>{({ name }) => <h1 className="page-title">{name}</h1>}</Awaited>
    </>
  );
}
