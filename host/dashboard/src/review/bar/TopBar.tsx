import { lazy, Suspense } from 'react';
import { slotState } from '../../api/ui.ts';
import { Brand } from '../../shell/Brand.tsx';
import { reviewWords, shellWords } from '../../words.ts';
import { useReviewing } from '../context.tsx';

const tools = import('./Tools.tsx');
const Tools = lazy(() => tools);

/** The project, how the prototype is shown, what a click does, and the ways to go. */
export function TopBar({ narrow }: { narrow: boolean }) {
  const { project, ui } = useReviewing();
  const base = `/projects/${project.slug}`;
  return (
    <header className="review-bar">
      <Brand />
      <h1 className="review-name" title={project.name}>
        {project.name}
      </h1>
      {!narrow && (
        <nav className="review-nav" aria-label={shellWords.project.tabs}>
          {slotState(ui, 'deployments') !== 'absent' && (
            <a className="site-link" href={`${base}/deployments`}>
              {reviewWords.deployments}
            </a>
          )}
          {project.canManage && (
            <a className="site-link" href={`${base}/settings/general`}>
              {reviewWords.settings}
            </a>
          )}
        </nav>
      )}
      <Suspense fallback={null}>
        <Tools narrow={narrow} />
      </Suspense>
    </header>
  );
}
