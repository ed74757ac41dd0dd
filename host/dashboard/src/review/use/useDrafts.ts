import { useMemo } from 'react';
import { useReviewing } from '../context.tsx';
import { draftsOf, type Drafts } from '../model/drafts.ts';
import { localStorageOrNothing } from '../store.ts';

/** The drafts of whoever looks. */
export function useDrafts(): Drafts {
  const { project, user } = useReviewing();
  const [id, account] = [project.id, user?.id ?? null];
  return useMemo(() => draftsOf(localStorageOrNothing(), id, account), [id, account]);
}
