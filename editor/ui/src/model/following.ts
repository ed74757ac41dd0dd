/** After an edit: the selection goes along with the element, and a page that does not show the change by itself is reloaded. */
import type { Edited, EditRequest } from '../api/edit.ts';
import type { Editor } from './editor.ts';
import { inspect, subjectOf } from './selecting.ts';
import { aroundOf } from './structure.ts';

/** When the page is asked again after an edit, in milliseconds from the one before: hot reload takes its time. */
const PAUSES = [150, 250, 500, 900];

/** What the page looked like at a moment. */
export interface Looked {
  changes: number;
  look: string;
}

export function looked(editor: Editor): Looked {
  return { changes: editor.counters.pageChanges, look: shown(editor) };
}

/** `since` is the page before the edit, where it may show it before the answer is there. */
export function follow(editor: Editor, request: EditRequest, edited: Edited, since: Looked = looked(editor)): void {
  const { store } = editor;
  const { selection } = store.getState();
  if (edited.editId !== null) {
    const item = selection?.subject.item ?? null;
    const steps = { ...store.getState().steps, [edited.editId]: { before: { src: request.src, item }, after: request.kind === 'delete' || edited.src === null ? null : { src: edited.src, item } } };
    store.setState({ steps });
  }
  const concerned = selection !== null && subjectOf(selection).src === request.src;
  if (concerned && edited.src !== null) {
    const before = [...(selection.before ?? []), request.src].filter((src) => src !== edited.src);
    const moved = selection.use === null ? { subject: { ...selection.subject, src: edited.src }, before } : { use: edited.src };
    store.setState({ selection: { ...selection, ...moved } });
  }
  void watch(editor, edited.src, concerned && request.kind !== 'delete', since);
  if (request.kind !== 'delete') void inspect(editor);
}

async function watch(editor: Editor, src: string | null, reselect: boolean, since: Looked): Promise<void> {
  const { counters, page, store, world } = editor;
  for (const pause of PAUSES) {
    await world.wait(pause);
    page.send({ type: 'editor:structure' });
    // Before the page shows the edit, the stamp is another element's.
    if (counters.pageChanges === since.changes && shown(editor) === since.look) continue;
    if (reselect && src !== null) selectIn(editor, src);
    return;
  }
  if (store.getState().session?.features.reloadBackstop) page.send({ type: 'editor:go', to: 'reload' });
}

/** Selects the edited element where the page made it anew, or where it stands in another one's place now. */
function selectIn({ page, store }: Editor, src: string): void {
  const { selection, structure } = store.getState();
  if (selection?.use !== null || selection.subject.src !== src) return;
  const node = aroundOf(structure ?? [], (each) => each.src === src)?.node;
  if (!node || (selection.target !== null && selection.target.tag !== node.tag)) return;
  const from = selection.target === null ? {} : { from: selection.target.id };
  page.send({ type: 'editor:select', src, index: selection.subject.item ?? 0, ...from });
}

/** What the page looks like as far as the interface knows, to tell whether hot reload came through. */
function shown({ store }: Editor): string {
  const { structure, selection } = store.getState();
  return JSON.stringify([structure, selection?.target?.styles, selection?.target?.classes, selection?.target?.text]);
}
