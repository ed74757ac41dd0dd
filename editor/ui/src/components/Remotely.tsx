import { Loading, Refused } from '@kit/State.tsx';
import type { ReactNode } from 'react';
import type { Remote } from '../api/result.ts';

/** The three states of something that is asked for; while a newer answer is on its way the old one stays. */
export function Remotely<T>({ of, loading, failed, again, children }: { of: Remote<T>; loading: string; failed: string; again?: () => unknown; children: (value: T) => ReactNode }) {
  if (of.is === 'ready') return children(of.value);
  if (of.is === 'loading' && of.stale !== null) return children(of.stale);
  if (of.is === 'refused') return <Refused title={failed} refusal={of.refusal} {...(again ? { again } : {})} />;
  return <Loading what={loading} />;
}
