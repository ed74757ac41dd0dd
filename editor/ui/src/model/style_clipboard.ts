/** Copying the look of one element to others. */
import type { Inspection } from '../api/inspection.ts';
import { count } from '../messages.ts';
import { edit } from './edits.ts';
import type { Editor } from './editor.ts';
import type { CopiedStyles } from './model.ts';
import { toast } from './say.ts';
import { inspected } from './selecting.ts';
import { group } from './several.ts';

/** Of an element with Tailwind's classes those; else of each property the declaration that decides: the first that is listed. */
export function lookOf(facts: Inspection): CopiedStyles {
  const decided = new Map<string, string>();
  for (const { property, value } of facts.styles) if (!decided.has(property)) decided.set(property, value);
  const classes = facts.utilities?.set.map((each) => each.class) ?? [];
  return { from: facts.tag, declarations: [...decided].map(([property, value]) => ({ property, value })), classes: [...new Set(classes)] };
}

/** What of a look an element does not have yet. */
export function missing(look: CopiedStyles, facts: Inspection): Pick<CopiedStyles, 'declarations' | 'classes'> {
  const own = lookOf(facts);
  const has = (property: string, value: string): boolean => own.declarations.some((each) => each.property === property && each.value === value);
  return {
    declarations: look.declarations.filter(({ property, value }) => !has(property, value)),
    classes: facts.utilities === null ? [] : look.classes.filter((name) => !facts.classes.list.includes(name)),
  };
}

export function copyStyles(editor: Editor): void {
  const facts = inspected(editor.store.getState());
  if (!facts) return;
  const look = lookOf(facts);
  const size = look.declarations.length + look.classes.length;
  if (size === 0) return toast(editor, { title: 'Nothing to copy', words: 'The source declares no styles for this element.' });
  editor.store.setState({ copiedStyles: look });
  toast(editor, { title: `Copied ${count(size, 'style')} of <${look.from}>` });
}

/** Onto the selected elements alone, whatever rules they share with others; taken back as one step. */
export async function pasteStyles(editor: Editor): Promise<void> {
  const { copiedStyles } = editor.store.getState();
  const facts = inspected(editor.store.getState());
  if (!copiedStyles || !facts) return;
  const { declarations, classes } = missing(copiedStyles, facts);
  const title = 'Paste styles';
  const before = editor.store.getState().groups.length;
  const done = await Promise.all([
    ...(classes.length === 0 ? [] : [edit(editor, { kind: 'class', add: classes, remove: [] }, { title })]),
    ...declarations.map(({ property, value }) => edit(editor, { kind: 'style', property, value }, { title, extra: { scope: 'item' } })),
  ]);
  // Edits of several elements are groups already; all of them are one.
  const ids = [...editor.store.getState().groups.slice(before).flat(), ...done.map((each) => each?.editId ?? null)];
  editor.store.setState(({ groups }) => ({ groups: groups.slice(0, before) }));
  group(editor, [...new Set(ids)]);
  const pasted = done.filter((each) => each !== null).length;
  toast(editor, pasted === 0 ? { title: 'Nothing was pasted', words: done.length === 0 ? 'The element has these styles already.' : '' } : { title: `Pasted ${count(pasted, 'style')}`, action: 'undo' });
}
