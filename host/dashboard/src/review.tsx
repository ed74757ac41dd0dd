/** What frames prototypes, each a document of its own with a key for one project alone: the review, and two versions side by side. */
import { Loading } from '@kit/State.tsx';
import { lazy, Suspense } from 'react';
import { Review } from './review/index.tsx';
import { comparedOf } from './shell/compared.ts';
import { start } from './shell/start.tsx';
import './style/index.css';
import { shellWords } from './words.ts';

const Compare = lazy(() => import('./deployments/compare/index.tsx'));

const [, , slug = ''] = location.pathname.split('/').map(decodeURIComponent);
const [a, b] = comparedOf(location);

start(
  a !== undefined && b !== undefined ? (
    <Suspense fallback={<Loading what={shellWords.loading} />}>
      <Compare slug={slug} a={a} b={b} />
    </Suspense>
  ) : (
    <Review slug={slug} />
  ),
);
