/** Keys of the review page. Single letters can be switched off: they get in the way of speech input. */
export interface Press {
  key: string;
  meta: boolean;
  ctrl: boolean;
  shift: boolean;
  alt: boolean;
}

export type Command = 'comment' | 'next' | 'previous' | 'reply' | 'resolve' | 'search' | 'help' | 'palette' | 'leave';

/** The single keys, in the order people read them. */
export const SINGLE_KEYS: Readonly<Record<string, Command>> = { c: 'comment', n: 'next', p: 'previous', r: 'reply', e: 'resolve', '/': 'search', '?': 'help' };

/** What a key from the frame may do: nothing that changes the server, because it may be the prototype that pressed it. */
export const FRAME_COMMANDS: ReadonlySet<Command> = new Set(['comment', 'next', 'previous', 'reply', 'search', 'help', 'palette', 'leave']);

export const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform);

/** What a press means; `null` for nothing. `typing`: it goes into a field. */
export function commandOf(press: Press, { singleKeys, typing, mac = isMac }: { singleKeys: boolean; typing: boolean; mac?: boolean }): Command | null {
  const mod = mac ? press.meta : press.ctrl;
  const key = press.key.toLowerCase();
  if (mod && key === 'k' && !press.alt && !press.shift) return 'palette';
  if (press.meta || press.ctrl || press.alt || typing) return null;
  if (key === 'escape') return 'leave';
  return singleKeys ? (SINGLE_KEYS[key] ?? null) : null;
}

/** Whether keys mean characters there. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type);
}

/** For people: `⌘K`, `Ctrl+K`. */
export function readableMod(key: string, mac: boolean = isMac): string {
  return mac ? `⌘${key === 'Enter' ? '↵' : key}` : `Ctrl+${key}`;
}

/** The one after or before `current` in the list; the first or the last when it is not in there. */
export function step<T extends { id: string }>(list: readonly T[], current: string | null, by: 1 | -1): T | null {
  const at = list.findIndex(({ id }) => id === current);
  if (at < 0) return (by === 1 ? list[0] : list.at(-1)) ?? null;
  return list[(at + by + list.length) % list.length] ?? null;
}
