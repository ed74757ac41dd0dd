import { letTry } from '../model/attempts.ts';
import type { Model } from '../model/model.ts';
import { messages } from '../messages.ts';
import { action } from './action.ts';

const offered = ({ attempts }: Model): string | undefined => attempts.findLast(({ state }) => state.is === 'offered')?.id;

export const letModelTry = action({
  id: 'let-model-try',
  label: messages.letModelTry,
  group: 'Edit',
  keys: ['Mod+Shift+E'],
  hidden: ({ attempts }) => attempts.length === 0,
  available: (model) => offered(model) !== undefined || 'No refused edit waits for that.',
  perform: (editor) => {
    const id = offered(editor.store.getState());
    return id === undefined ? undefined : letTry(editor, id);
  },
});
