import { CircleAlert, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Refusal, Remote } from '../api/result.ts';
import { messages } from '../messages.ts';

/** What stands where there is nothing to show yet, nothing at all, or something went wrong. */
export function State({ title, children, tone = 'plain', icon, actions }: { title: string; children?: ReactNode; tone?: 'plain' | 'bad'; icon?: ReactNode; actions?: ReactNode }) {
  return (
    <div className={`state ${tone}`}>
      {icon ?? (tone === 'bad' ? <CircleAlert size={20} aria-hidden /> : <Info size={20} aria-hidden />)}
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div className="actions">{actions}</div>}
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <div className="state" role="status">
      <span className="spinner large" />
      <p>{what}</p>
    </div>
  );
}

export function Refused({ title, refusal, again }: { title: string; refusal: Refusal; again?: () => unknown }) {
  const retry = again && (
    <button type="button" className="button" onClick={() => void again()}>
      {messages.again}
    </button>
  );
  return (
    <State title={title} tone="bad" actions={retry}>
      {refusal.reason}
    </State>
  );
}

/** The three states of something that is asked for; while a newer answer is on its way the old one stays. */
export function Remotely<T>({ of, loading, failed, again, children }: { of: Remote<T>; loading: string; failed: string; again?: () => unknown; children: (value: T) => ReactNode }) {
  if (of.is === 'ready') return children(of.value);
  if (of.is === 'loading' && of.stale !== null) return children(of.stale);
  if (of.is === 'refused') return <Refused title={failed} refusal={of.refusal} {...(again ? { again } : {})} />;
  return <Loading what={loading} />;
}
