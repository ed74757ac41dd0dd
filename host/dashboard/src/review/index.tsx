import { useQuery } from '@tanstack/react-query';
import { projectQuery } from '../api/projects.ts';
import { meQuery, uiQuery } from '../api/ui.ts';
import { Brand } from '../shell/Brand.tsx';
import { Awaited } from '../shell/states.tsx';
import { useTitle } from '../shell/useTitle.ts';
import { reviewWords } from '../words.ts';
import { ReviewingProvider } from './context.tsx';
import { ReviewPage } from './ReviewPage.tsx';
import './review.css';

/** `/projects/:slug`: the prototype with its comments. */
export function Review({ slug }: { slug: string }) {
  const project = useQuery({ ...projectQuery(slug), refetchInterval: PROJECT_INTERVAL, refetchOnWindowFocus: 'always' });
  const me = useQuery(meQuery);
  const ui = useQuery(uiQuery);
  useTitle(reviewWords.title, project.data?.name);
  if (!project.data || !me.data || !ui.data) {
    return (
      <>
        <header className="site-head">
          <Brand />
        </header>
        <main>
          <Awaited of={project}>{() => <Awaited of={me}>{() => <Awaited of={ui}>{() => null}</Awaited>}</Awaited>}</Awaited>
        </main>
      </>
    );
  }
  return (
    <ReviewingProvider project={project.data} user={me.data.user} ui={ui.data}>
      <ReviewPage />
    </ReviewingProvider>
  );
}

/** How often it is asked whether another version is live, in milliseconds. The bell asks too. */
const PROJECT_INTERVAL = 10_000;
