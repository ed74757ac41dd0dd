import { CircleAlert, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { words } from './words.ts';

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

export function Refused({ title, refusal, again }: { title: string; refusal: { reason: string }; again?: () => unknown }) {
  const retry = again && (
    <button type="button" className="button" onClick={() => void again()}>
      {words.again}
    </button>
  );
  return (
    <State title={title} tone="bad" actions={retry}>
      {refusal.reason}
    </State>
  );
}
