import { messages } from '../messages.ts';
import { modelsReady } from '../model/models.ts';
import { toast } from '../model/say.ts';
import { action } from './action.ts';

const ORDER = ['ask', 'always', 'never'] as const;

export const modelPreference = action({
  id: 'model-preference',
  label: 'Refused edits: ask, always let a model try, or never',
  group: 'Edit',
  hidden: (model) => !modelsReady(model),
  perform: (editor) => {
    const { letModelTry } = editor.store.getState();
    const next = ORDER[(ORDER.indexOf(letModelTry) + 1) % ORDER.length] ?? 'ask';
    editor.store.setState({ letModelTry: next });
    toast(editor, { title: messages.preferenceOf(next) });
  },
});
