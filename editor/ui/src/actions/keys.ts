/** From keys to actions, in the interface and in the page alike. */
import type { Editor } from '../model/editor.ts';
import type { Action } from './action.ts';
import { toast } from '../model/say.ts';
import { isBeingRead, whenRead } from '../model/selecting.ts';
import { actionById, ACTIONS } from './index.ts';

export interface KeyPress {
  key: string;
  metaKey: boolean;
  ctrlKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

export const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform);

/** Whether a press is what `keys` (`Mod+Shift+Z`) says. */
export function matches(keys: string, press: KeyPress, mac: boolean = isMac): boolean {
  const parts = keys.split('+');
  // `Mod++` ends in the key "+" itself.
  const key = keys.endsWith('++') || keys === '+' ? '+' : (parts.at(-1) ?? '');
  const wants = (name: string): boolean => parts.slice(0, -1).includes(name);
  const mod = mac ? press.metaKey : press.ctrlKey;
  const other = mac ? press.ctrlKey : press.metaKey;
  if (wants('Mod') !== mod || other || wants('Alt') !== press.altKey) return false;
  // Signs like ? need Shift on some keyboards and not on others.
  const sign = key.length === 1 && key.toLowerCase() === key.toUpperCase() && !/[0-9]/.test(key);
  if (!sign && wants('Shift') !== press.shiftKey) return false;
  return press.key.toLowerCase() === key.toLowerCase();
}

/** For people: `⌘⇧Z`, `Ctrl+Shift+Z`. */
export function readableKeys(keys: string, mac: boolean = isMac): string {
  const names: Record<string, string> = mac
    ? { Mod: '⌘', Shift: '⇧', Alt: '⌥', ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Enter: '↵', Delete: '⌦', Backspace: '⌫', Escape: 'Esc' }
    : { Mod: 'Ctrl', ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Delete: 'Del', Escape: 'Esc' };
  const parts = keys.split('+').filter((part) => part !== '');
  if (keys.endsWith('+')) parts.push('+');
  return parts.map((part) => names[part] ?? part).join(mac ? '' : '+');
}

/** Shortcuts of one key without modifier, which people can switch off. */
export function isSingleKey(keys: string): boolean {
  return !/(?:Mod|Alt)\+/.test(keys) && /^(?:Shift\+)?.$/.test(keys);
}

export function actionFor(press: KeyPress, singleKeys: boolean): Action | undefined {
  return ACTIONS.find(({ keys }) => keys.some((each) => (singleKeys || !isSingleKey(each)) && matches(each, press)));
}

/** Does what a press means; gives whether it meant something. */
export function pressed(editor: Editor, press: KeyPress): boolean {
  const model = editor.store.getState();
  const found = actionFor(press, model.singleKeys);
  if (!found || found.hidden?.(model)) return false;
  const available = found.available(model);
  if (available === true) void found.perform(editor);
  // Walking about without a selection is worth no word.
  else if (found.group !== 'Edit') return false;
  else if (isBeingRead(model)) void performLater(editor, found);
  else sayUnavailable(editor, found, available);
  return true;
}

/** Right after a click the source is still being read: the key means what it says as soon as that is done. */
async function performLater(editor: Editor, action: Action): Promise<void> {
  if (!(await whenRead(editor))) return;
  const available = action.available(editor.store.getState());
  if (available === true) await action.perform(editor);
  else sayUnavailable(editor, action, available);
}

/** Why an edit cannot be done: silence would look like a key that does not work. With the way to where it can: most often the place the component is used at. */
function sayUnavailable(editor: Editor, { label }: Action, why: string): void {
  const model = editor.store.getState();
  const elsewhere = model.selection?.use === null && model.selection.usages.length > 0 && actionById('switch-use')?.available(model) === true;
  toast(editor, { title: label.replace('…', ''), words: why, action: elsewhere ? 'switch-use' : null });
}

/** Whether the focus is where keys mean characters. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range', 'color'].includes(target.type);
}
