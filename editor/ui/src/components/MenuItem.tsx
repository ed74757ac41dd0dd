import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { Action } from '../actions/action.ts';
import { readableKeys } from '../actions/keys.ts';
import { useAction } from '../react/use.ts';
import { iconOf } from './icons.ts';

/** An action in a menu. The reason why it cannot be done is its title. */
export function MenuItem({ action }: { action: Action }) {
  const { why, pressed, hidden, perform } = useAction(action);
  if (hidden) return null;
  const Icon = pressed === true ? Check : iconOf(action.id);
  const [keys] = action.keys;
  return (
    <DropdownMenu.Item className="menu-item" disabled={why !== null} title={why ?? undefined} onSelect={perform}>
      <Icon size={14} aria-hidden />
      <span>{action.label}</span>
      {pressed === true && <span className="hidden">, on</span>}
      {keys !== undefined && <span className="keys">{readableKeys(keys)}</span>}
    </DropdownMenu.Item>
  );
}
