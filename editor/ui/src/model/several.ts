/** Several elements at once: one is inspected, the others are changed along with it. */
import { count } from '../messages.ts';
import type { Editor } from './editor.ts';
import type { Also } from './model.ts';
import { speak } from './say.ts';

/** Selects an element beside what is selected, or no longer. Items of one list share their place in the source: each is one of them. */
export function toggleAlso(editor: Editor, { src, index, tag }: Also): void {
  const { selection, alsoSelected } = editor.store.getState();
  if (selection === null || (selection.subject.src === src && (selection.target?.index ?? selection.subject.item ?? 0) === index)) return;
  const without = alsoSelected.filter((each) => each.src !== src || each.index !== index);
  const now = without.length < alsoSelected.length ? without : [...alsoSelected, { src, index, tag }];
  editor.store.setState({ alsoSelected: now });
  speak(editor, `${count(now.length + 1, 'element')} selected`);
  markAlso(editor);
}

export function clearAlso(editor: Editor): void {
  if (editor.store.getState().alsoSelected.length === 0) return;
  editor.store.setState({ alsoSelected: [] });
  markAlso(editor);
}

/** Outlines them in the page. */
export function markAlso({ store, page }: Editor): void {
  page.send({ type: 'editor:mark', places: store.getState().alsoSelected.map(({ src, index }) => ({ src, index })) });
}

/** Remembers edits that belong together: they are taken back as one. */
export function group(editor: Editor, ids: readonly (string | null)[]): void {
  const done = ids.filter((id) => id !== null);
  if (done.length > 1) editor.store.setState(({ groups }) => ({ groups: [...groups, done] }));
}

/** How many steps of the history are the next one: more than one where edits belong together and nothing stands between them. */
export function stepsOf({ groups, history }: { groups: readonly string[][]; history: readonly { editId: string; undone: boolean }[] }, direction: 'undo' | 'redo'): number {
  // The newest stands first.
  const next = direction === 'undo' ? history.filter(({ undone }) => !undone) : history.filter(({ undone }) => undone).reverse();
  const ids = groups.find((each) => each.includes(next[0]?.editId ?? ''));
  if (!ids) return 1;
  const along = next.findIndex(({ editId }) => !ids.includes(editId));
  return Math.min(ids.length, along < 0 ? next.length : along);
}
