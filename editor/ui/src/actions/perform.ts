import type { Editor } from '../model/editor.ts';
import { actionById } from './index.ts';

/** Does an action by its id, as toasts and menus name it. */
export function perform(editor: Editor, id: string): void {
  const action = actionById(id);
  if (action && action.available(editor.store.getState()) === true) void action.perform(editor);
}
