/** One step back or forth in the history. */
import { DiffsSchema } from '../wire/edit.ts';
import type { Editor } from './editor.ts';
import { loadHistory, refreshAfterEdit } from './loading.ts';
import { dismissUndo, sayRefusal, speak } from './say.ts';
import { inspect } from './selecting.ts';

export async function stepHistory(editor: Editor, direction: 'undo' | 'redo'): Promise<void> {
  const title = direction === 'undo' ? 'Undo' : 'Redo';
  const result = await editor.call(DiffsSchema, `/api/editor/${direction}`, { body: {} });
  if (!result.ok) {
    sayRefusal(editor, `${title}: not done`, result.refusal);
    void loadHistory(editor);
    return;
  }
  dismissUndo(editor);
  const paths = result.value.files.map(({ path }) => path);
  speak(editor, `${title}: ${paths.join(', ')}`);
  refreshAfterEdit(editor, paths);
  if (editor.store.getState().selection) void inspect(editor);
  editor.page.send({ type: 'editor:structure' });
}
