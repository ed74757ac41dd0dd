/** One step back or forth in the history. What it was done to is selected, so that people see what has changed. */
import { SteppedSchema } from '../api/edit.ts';
import type { Editor } from './editor.ts';
import { loadHistory, refreshAfterEdit } from './loading.ts';
import { dismissUndo, sayRefusal, speak, whileBusy } from './say.ts';
import type { Step } from './model.ts';
import { clearSelection, inspect, selectSource } from './selecting.ts';
import { stepsOf } from './several.ts';
import { known } from '../api/result.ts';

/** Takes a step; edits that belong together are one. */
export async function stepHistory(editor: Editor, direction: 'undo' | 'redo'): Promise<void> {
  const { groups, history } = editor.store.getState();
  const steps = stepsOf({ groups, history: known(history)?.entries ?? [] }, direction);
  for (let step = 0; step < steps; step++) if (!(await stepOnce(editor, direction))) return;
}

/** Gives whether it was done. */
async function stepOnce(editor: Editor, direction: 'undo' | 'redo'): Promise<boolean> {
  const title = direction === 'undo' ? 'Undo' : 'Redo';
  const result = await whileBusy(editor, editor.call(SteppedSchema, `/api/editor/${direction}`, { body: {} }));
  if (!result.ok) {
    sayRefusal(editor, `${title}: not done`, result.refusal);
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

/** An element that is selected already is asked about again: it may be another one that stands there now. */
function show(editor: Editor, place: Step['after']): void {
  if (place === null) return clearSelection(editor);
  const { selection } = editor.store.getState();
  const same = selection?.subject.src === place.src && selection.subject.item === place.item;
  if (same) return void inspect(editor);
  selectSource(editor, place.src, { item: place.item });
}
