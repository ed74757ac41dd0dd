import type { Action } from '../actions/action.ts';
import { readableKeys } from '../actions/keys.ts';
import { useAction } from '../react/use.ts';
import { iconOf } from './icons.ts';
import { Tip } from '@kit/Tip.tsx';

/** An action as an icon, with a label where there is room for it. Not `disabled` when it cannot be done: the reason must be reachable. */
export function ActionIcon({ action, small = false, className = '', label }: { action: Action; small?: boolean; className?: string; label?: string }) {
  const { why, pressed, hidden, perform } = useAction(action);
  if (hidden) return null;
  const Icon = iconOf(action.id);
  const keys = action.keys[0] === undefined ? undefined : readableKeys(action.keys[0]);
  return (
    <Tip words={why === null ? action.label : `${action.label}: ${why}`} keys={why === null ? keys : undefined}>
      <button
        type="button"
        className={`icon-button${small ? ' small' : ''}${label === undefined ? '' : ' labelled'} ${className}`}
        aria-label={why === null ? action.label : `${action.label} (${why})`}
        aria-pressed={pressed}
        aria-disabled={why !== null}
        aria-keyshortcuts={action.keys[0]?.replace('Mod', 'Control')}
        onClick={perform}
      >
        <Icon size={small ? 14 : 16} aria-hidden />
        {label !== undefined && <span className="roomy">{label}</span>}
      </button>
    </Tip>
  );
}

/** An action as a button with its name. */
export function ActionButton({ action, label, tone = '', count }: { action: Action; label?: string; tone?: string; count?: number }) {
  const { why, hidden, perform } = useAction(action);
  if (hidden) return null;
  const keys = action.keys[0] === undefined ? undefined : readableKeys(action.keys[0]);
  const Icon = iconOf(action.id);
  return (
    <Tip words={why ?? action.label.replace('…', '')} keys={why === null ? keys : undefined}>
      <button type="button" className={`button ${tone}`} aria-disabled={why !== null} onClick={perform}>
        <Icon size={15} aria-hidden />
        <span>{label ?? action.label}</span>
        {count !== undefined && count > 0 && <span className="count">{count}</span>}
      </button>
    </Tip>
  );
}
