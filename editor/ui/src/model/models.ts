/** The provider of models: what is known of it, and changing it. */
import { AvailableSchema, ModelsSchema, type ModelsChange } from '../api/models.ts';
import { known, loading, settled, type Refusal } from '../api/result.ts';
import { messages } from '../messages.ts';
import { loadChats } from './chats.ts';
import type { Editor } from './editor.ts';
import type { Model } from './model.ts';
import { speak } from './say.ts';

/** Asks which model is used. Chats are asked for where one can be: without a key nobody has any. */
export async function loadModels(editor: Editor): Promise<void> {
  const { call, store } = editor;
  store.setState(({ models }) => ({ models: loading(models) }));
  store.setState({ models: settled(await call(ModelsSchema, '/api/models')) });
  if (modelsReady(store.getState())) await loadChats(editor);
}

/** Changes provider, key, model or address. Gives why that was refused: nothing was kept then. */
export async function changeModels(editor: Editor, change: ModelsChange): Promise<Refusal | null> {
  const result = await editor.call(ModelsSchema, '/api/models', { method: 'PUT', body: change });
  if (!result.ok) return result.refusal;
  editor.store.setState({ models: { is: 'ready', value: result.value } });
  speak(editor, messages.modelsKept);
  if (modelsReady(editor.store.getState())) void loadChats(editor);
  return null;
}

/** The models that a provider offers; none where it does not tell. */
export async function offeredModels({ call }: Editor, provider: string): Promise<string[]> {
  const result = await call(AvailableSchema, '/api/models/available', { query: { provider } });
  return result.ok ? result.value.models : [];
}

/** Whether a model can be asked. */
export function modelsReady({ models }: Pick<Model, 'models'>): boolean {
  const facts = known(models);
  return facts !== null && (facts.ready || facts.subscription);
}

/** Whether a refused edit may be for a model: then it is asked for, although the program said before that it cannot do it for certain. */
export function mayAsk(model: Pick<Model, 'models' | 'letModelTry'>): boolean {
  return model.letModelTry !== 'never' && modelsReady(model);
}

/** The chat is there once a model can be asked; what was said stays to be read when the key is forgotten. */
export function chatShown({ models, chats }: Pick<Model, 'models' | 'chats'>): boolean {
  const list = known(chats);
  return list !== null && (modelsReady({ models }) || list.sessions.length > 0);
}
