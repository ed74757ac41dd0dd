/** The prototype's dev server. */
import { DoneSchema } from '../api/git.ts';
import type { Editor } from './editor.ts';
import { sayRefusal, speak } from './say.ts';

/** Asks for a restart; how it goes on, the events tell. */
export async function restartHost(editor: Editor): Promise<void> {
  const result = await editor.call(DoneSchema, '/api/host/restart', { body: {} });
  if (result.ok) speak(editor, 'The dev server is restarted');
  else sayRefusal(editor, 'The dev server was not restarted', result.refusal);
}
