/** What is selected, and what is known about it. */
import { InspectionSchema, type Inspection, type Usage } from '../api/inspection.ts';
import type { Target } from '../api/page.ts';
import { IDLE, known, loading, refusal, settled } from '../api/result.ts';
import { askPage, viewportQuery } from './conditions.ts';
import { loadOutline } from './loading.ts';
import type { Editor } from './editor.ts';
import type { Model, Selection, Subject } from './model.ts';
import { shortPlace } from './place.ts';
import { clearAlso } from './several.ts';
import { aroundOf } from './structure.ts';
import { speak } from './say.ts';

/** The subject the inspector shows: the element, or the use of its component. */
export function subjectOf(selection: Selection): Subject {
  return selection.use === null ? selection.subject : { src: selection.use, item: null, within: null };
}

/** The page selected something, or nothing. */
export function selectTarget(editor: Editor, target: Target | null, under: Selection['under'] = []): void {
  const { store } = editor;
  if (target === null) {
    clearAlso(editor);
    store.setState({ selection: null, inspection: IDLE });
    return;
  }
  const before = store.getState().selection;
  const same = before !== null && before.subject.src === target.src && before.subject.item === itemOf(target);
  const subject = { src: target.src ?? '', item: itemOf(target), within: target.within };
  // The page's answer to a selection in the tree.
  const wantsUse = before !== null && before.wantsUse && before.target === null && before.subject.src === target.src;
  store.setState({ selection: { number: same ? before.number : ++editor.counters.selections, target, subject, use: same ? before.use : null, usages: same ? before.usages : [], wantsUse, under } });
  if (same) return takeUse(editor);
  clearAlso(editor);
  speak(editor, target.src === null ? `${target.tag}, made by a library` : `${target.tag} in ${shortPlace(target.src)}`);
  store.setState({ inspection: IDLE });
  void inspect(editor);
}

/** The tag of what was clicked where the source does not have it, and the element around it is selected instead; null elsewhere. */
export function clickedInside({ target, under }: Selection): string | null {
  const [top] = under;
  return top !== undefined && top.src === null && target !== null && target.src !== null && top.id !== target.id ? top.tag : null;
}

/** Selects by stamp, as the trees do. The page answers with its target when it shows the element. */
export function selectSource(editor: Editor, src: string, options: { id?: number; item?: number | null; index?: number; use?: boolean } = {}): void {
  const { store, page } = editor;
  const subject = { src, item: options.item ?? null, within: null };
  const before = store.getState().selection;
  if (before?.subject.src !== src) clearAlso(editor);
  if (before?.subject.src !== src || options.id !== before.target?.id || options.use === true) {
    store.setState({ selection: { number: ++editor.counters.selections, target: null, subject, use: null, usages: [], wantsUse: options.use === true, under: [] }, inspection: IDLE });
    void inspect(editor);
  }
  page.send({ type: 'editor:select', src, index: options.index ?? options.item ?? 0, ...(options.id === undefined ? {} : { id: options.id }), scroll: true });
}

export function clearSelection(editor: Editor): void {
  const { store, page } = editor;
  clearAlso(editor);
  store.setState({ selection: null, inspection: IDLE });
  page.send({ type: 'editor:select' });
}

/** The element moved or changed: its stamp may be another one now. */
export function updateTarget(editor: Editor, target: Target): void {
  const selection = editor.store.getState().selection;
  if (!selection) return;
  if (selection.target !== null && selection.target.id !== target.id) return;
  const { before = [] } = selection;
  const behind = target.src !== null && before.includes(target.src);
  const moved = target.src !== null && target.src !== selection.subject.src && !behind;
  const subject = moved ? { src: target.src ?? '', item: itemOf(target), within: target.within } : selection.subject;
  editor.store.setState({ selection: { ...selection, target, subject, before: behind ? before : [] } });
  if (moved) void inspect(editor);
}

/** Switches between the element and a use of its component (`null` is the element). */
export function focusUse(editor: Editor, use: string | null): void {
  const { selection } = editor.store.getState();
  if (!selection || selection.use === use) return;
  editor.store.setState({ selection: { ...selection, number: ++editor.counters.selections, use, wantsUse: false }, inspection: IDLE });
  void inspect(editor);
}

/** Asks the program about the subject. */
export async function inspect(editor: Editor): Promise<void> {
  const { store, call } = editor;
  const { selection } = store.getState();
  if (!selection) return;
  const subject = subjectOf(selection);
  if (subject.src === '') {
    const reason = 'This element is not made by the prototype’s own source: a library made it, or code that is not stamped.';
    store.setState({ inspection: { is: 'refused', refusal: refusal('no-source', reason) } });
    return;
  }
  store.setState(({ inspection }) => ({ inspection: loading(inspection) }));
  const result = await call(InspectionSchema, '/api/editor/inspect', {
    query: { src: subject.src, item: subject.item, within: subject.within, ...viewportQuery(store.getState()) },
  });
  const now = store.getState().selection;
  if (now?.number !== selection.number || subjectOf(now).src !== subject.src) return;
  if (result.ok && now.use === null) store.setState({ selection: { ...now, usages: result.value.usages } });
  store.setState({ inspection: settled(result) });
  if (result.ok) askPage(editor, result.value);
  // What stands around it in the source: moving needs it, and edits keep it new.
  if (result.ok && store.getState().outlines[result.value.path] === undefined) void loadOutline(editor, result.value.path);
  takeUse(editor);
}

/** Goes to the use that was wanted, once it is known where the element is on the page: that tells the uses apart. */
function takeUse(editor: Editor): void {
  const { selection, structure } = editor.store.getState();
  if (!selection?.wantsUse) return;
  const { src } = selection.subject;
  if (selection.target === null && structure !== null && aroundOf(structure, (node) => node.src === src)) return;
  const use = likelyUse(selection);
  if (use) focusUse(editor, use.src);
}

/**
 * The use that most likely made the element. When the page shows as many of them as the source has uses, their order tells;
 * which one it is stands in the inspector, and edits of the element itself never rely on it.
 */
export function likelyUse({ usages, target }: Selection): Usage | undefined {
  const likely = usages.filter((usage) => usage.likely);
  if (likely.length !== 1 && target !== null && target.shared === usages.length) return usages[target.index];
  return likely[0] ?? usages[0];
}

/** Items matter only where several elements of the page share a stamp. */
export function itemOf(target: Target): number | null {
  return target.shared > 1 ? target.index : null;
}

/** How long a key waits for the source to be read, in milliseconds. */
const READ_TIMEOUT = 5000;

/** Whether nothing is known about the subject yet, and soon will be. */
export function isBeingRead({ selection, inspection }: Model): boolean {
  return selection !== null && (inspection.is === 'idle' || (inspection.is === 'loading' && inspection.stale === null));
}

/** Waits until the subject has been read; gives whether it is the selected one still. */
export async function whenRead({ store, world }: Editor): Promise<boolean> {
  const { selection } = store.getState();
  const read = new Promise<void>((resolve) => {
    const stop = store.subscribe((model) => {
      if (isBeingRead(model)) return;
      stop();
      resolve();
    });
  });
  await Promise.race([read, world.wait(READ_TIMEOUT)]);
  return store.getState().selection?.number === selection?.number;
}

/** What is known about the subject at this moment. */
export function inspected(model: Model): Inspection | null {
  return known(model.inspection);
}
