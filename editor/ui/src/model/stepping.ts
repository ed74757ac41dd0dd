/** One step back or forth in the history. What it was done to is selected, so that people see what has changed. */
import { SteppedSchema } from '../api/edit.ts';
import type { Editor } from './editor.ts';
import { loadHistory, refreshAfterEdit } from './loading.ts';
import { dismissUndo, sayRefusal, speak, whileBusy } from './say.ts';
import type { Step } from './model.ts';
import { clearSelection, inspect, selectSource } from './selecting.ts';
import { stepsOf } from './several.ts';
import { known } from '../api/result.ts';

/** Takes a step; edits that belong together are one. `editId` is a step that others came after; without one the last is meant. Gives whether it was done. */
export async function stepHistory(editor: Editor, direction: 'undo' | 'redo', editId?: string): Promise<boolean> {
  if (editId !== undefined) return await stepOnce(editor, direction, editId);
  const { groups, history } = editor.store.getState();
  const steps = stepsOf({ groups, history: known(history)?.entries ?? [] }, direction);
  for (let step = 0; step < steps; step++) if (!(await stepOnce(editor, direction))) return false;
  return true;
}

/** Gives whether it was done. */
async function stepOnce(editor: Editor, direction: 'undo' | 'redo', editId?: string): Promise<boolean> {
  const title = direction === 'undo' ? 'Undo' : 'Redo';
  const body = editId === undefined ? {} : { editId };
  const result = await whileBusy(editor, editor.call(SteppedSchema, `/api/editor/${direction}`, { body }));
  if (!result.ok) {
    const { refusal } = result;
    // A dead end would keep every step before it from being undone.
    if (refusal.editId === undefined) sayRefusal(editor, `${title}: not done`, refusal);
    else editor.store.setState({ dialog: { is: 'blocked', direction, editId: refusal.editId, reason: refusal.reason, changed: refusal.changed ?? [] } });
    void loadHistory(editor);
    return false;
  }
  dismissUndo(editor);
  const paths = result.value.files.map(({ path }) => path);
  speak(editor, `${title}: ${paths.join(', ')}`);
  refreshAfterEdit(editor, paths);
  const { steps, selection } = editor.store.getState();
  const step = steps[result.value.editId ?? ''];
  if (step !== undefined) show(editor, direction === 'undo' ? step.before : step.after);
  else if (selection) void inspect(editor);
  editor.page.send({ type: 'editor:structure' });
  return true;
}

/** Passes by a step that cannot be taken: its change stays, and the steps before it can be taken again. */
export async function skipStep(editor: Editor, direction: 'undo' | 'redo', editId: string): Promise<void> {
  const result = await whileBusy(editor, editor.call(SteppedSchema, `/api/editor/${direction}`, { body: { editId, skip: true } }));
  if (result.ok) speak(editor, 'The step is skipped');
  else sayRefusal(editor, 'The step was not skipped', result.refusal);
  void loadHistory(editor);
}

/** An element that is selected already is asked about again: it may be another one that stands there now. */
function show(editor: Editor, place: Step['after']): void {
  if (place === null) return clearSelection(editor);
  const { selection } = editor.store.getState();
  const same = selection?.subject.src === place.src && selection.subject.item === place.item;
  if (same) return void inspect(editor);
  selectSource(editor, place.src, { item: place.item });
}
