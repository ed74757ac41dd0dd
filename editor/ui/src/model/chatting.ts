/** What people do with chats: writing, sending, stopping, answering, taking back. What a running turn tells comes by its stream. */
import { OneSessionSchema, sessionPath, StartedSchema, TurnUndoneSchema, type Chip } from '../api/chat.ts';
import { DoneSchema } from '../api/git.ts';
import { known } from '../api/result.ts';
import { pagePath } from '@kit/samePage.ts';
import { messages } from '../messages.ts';
import { changeThread, chatGone, openChat, SESSIONS, withSession } from './chats.ts';
import type { Editor } from './editor.ts';
import { loadHistory, refreshAfterEdit } from './loading.ts';
import type { Model, Prompt } from './model.ts';
import { shortPlace } from './place.ts';
import { dismissUndo, sayRefusal, speak } from './say.ts';
import { inspect, inspected, subjectOf } from './selecting.ts';
import { withTurn } from './thread.ts';

/** Where the prompt is kept while there is no chat yet. */
const NEW = '';

/** Makes a chat and shows it; gives its id, or null when that was refused, which has been told. */
export async function newChat(editor: Editor): Promise<string | null> {
  const { call, store } = editor;
  const result = await call(OneSessionSchema, SESSIONS, { body: {} });
  if (!result.ok) {
    sayRefusal(editor, messages.chatNotMade, result.refusal);
    return null;
  }
  const { session } = result.value;
  store.setState((model) => {
    const list = known(model.chats) ?? { sessions: [], single: false };
    const others = list.sessions.filter(({ id }) => id !== session.id);
    return { chats: { is: 'ready', value: { ...list, sessions: [session, ...others] } } };
  });
  await openChat(editor, session.id);
  return session.id;
}

export async function renameChat(editor: Editor, id: string, title: string): Promise<boolean> {
  const result = await editor.call(OneSessionSchema, sessionPath(id), { method: 'PUT', body: { title } });
  if (!result.ok) sayRefusal(editor, messages.chatNotRenamed, result.refusal);
  else editor.store.setState((model) => ({ chats: withSession(model.chats, result.value.session) }));
  if (result.ok) changeThread(editor, id, (thread) => ({ ...thread, session: result.value.session }));
  return result.ok;
}

export async function deleteChat(editor: Editor, id: string): Promise<void> {
  const result = await editor.call(DoneSchema, sessionPath(id), { method: 'DELETE' });
  // Deleted elsewhere is deleted.
  if (!result.ok && result.refusal.code !== 'not-found') return sayRefusal(editor, messages.chatNotDeleted, result.refusal);
  speak(editor, messages.chatDeleted);
  chatGone(editor, id);
}

export async function stopChat(editor: Editor, id: string): Promise<void> {
  const result = await editor.call(DoneSchema, `${sessionPath(id)}/stop`, { body: {} });
  if (!result.ok) sayRefusal(editor, messages.chatNotStopped, result.refusal);
  else speak(editor, messages.chatStopped);
}

export function promptOf({ prompts, chat }: Pick<Model, 'prompts' | 'chat'>): Prompt {
  return prompts[chat ?? NEW] ?? { text: '', turn: null };
}

export function setPrompt({ store }: Editor, prompt: Prompt | null): void {
  store.setState(({ prompts, chat }) => {
    const { [chat ?? NEW]: _, ...others } = prompts;
    return { prompts: prompt === null ? others : { ...others, [chat ?? NEW]: prompt } };
  });
}

/** The program takes no more. */
const MAX_CHIPS = 20;

/** The selected elements as a turn names them; none while somebody has taken them out. */
export function chipsOf(model: Pick<Model, 'selection' | 'inspection' | 'alsoSelected' | 'withoutSelection'>): Chip[] {
  const { selection, alsoSelected } = model;
  if (selection === null || model.withoutSelection === selection.number) return [];
  const { src } = subjectOf(selection);
  if (src === '') return [];
  const facts = known(model.inspection);
  const tag = facts?.src === src ? facts.tag : (selection.target?.tag ?? '');
  const first: Chip = { src, label: labelOf(tag, src), ...(facts?.src === src ? { sourceHash: facts.hash } : {}) };
  return [first, ...alsoSelected.map((also) => ({ src: also.src, label: labelOf(also.tag, also.src) }))].slice(0, MAX_CHIPS);
}

function labelOf(tag: string, src: string): string {
  return tag === '' ? shortPlace(src) : `<${tag}> ${shortPlace(src)}`;
}

/** Sends what was written as a turn; a chat is made when there is none. Gives whether it was taken. */
export async function sendTurn(editor: Editor): Promise<boolean> {
  const { call, store } = editor;
  const { text } = promptOf(store.getState());
  if (text.trim() === '' || store.getState().sending) return false;
  store.setState({ sending: true });
  try {
    const id = store.getState().chat ?? (await moveToNew(editor));
    if (id === null) return false;
    // The same turn again after an answer that was lost starts nothing twice.
    const turn = promptOf(store.getState()).turn ?? crypto.randomUUID();
    const selection = chipsOf(store.getState());
    const { address } = store.getState().page;
    const body = { turn, text: text.trim(), selection, ...(address === '' ? {} : { page: pagePath(address) }) };
    const result = await call(StartedSchema, `${sessionPath(id)}/turns`, { body });
    if (!result.ok) {
      const lost = result.refusal.code === 'unreachable' || result.refusal.code === 'aborted';
      setPromptOf(editor, id, { text, turn: lost ? turn : null });
      sayRefusal(editor, messages.notSent, result.refusal);
      return false;
    }
    setPromptOf(editor, id, null);
    speak(editor, messages.sent);
    // The stream may have told of it, and more, already.
    changeThread(editor, id, (thread) => (thread.turns.some((each) => each.id === turn) ? thread : { ...thread, session: result.value.session, turns: withTurn(thread.turns, result.value.turn) }));
    return true;
  } finally {
    store.setState({ sending: false });
  }
}

function setPromptOf({ store }: Editor, id: string, prompt: Prompt | null): void {
  store.setState(({ prompts }) => {
    const { [id]: _, ...others } = prompts;
    return { prompts: prompt === null ? others : { ...others, [id]: prompt } };
  });
}

/** What was written without a chat goes into the one that is made for it. */
async function moveToNew(editor: Editor): Promise<string | null> {
  const prompt = promptOf(editor.store.getState());
  const id = await newChat(editor);
  if (id === null) return null;
  setPromptOf(editor, NEW, null);
  setPromptOf(editor, id, prompt);
  return id;
}

export async function answerApproval(editor: Editor, session: string, approval: string, answer: string): Promise<void> {
  const result = await editor.call(DoneSchema, `${sessionPath(session)}/approvals/${encodeURIComponent(approval)}`, { body: { answer } });
  if (!result.ok) sayRefusal(editor, messages.notAnswered, result.refusal);
}

/** Takes all edits of a turn back, or none of them. */
export async function undoTurn(editor: Editor, session: string, turn: string): Promise<void> {
  const result = await editor.call(TurnUndoneSchema, `${sessionPath(session)}/turns/${encodeURIComponent(turn)}/undo`, { body: {} });
  if (!result.ok) {
    sayRefusal(editor, messages.turnNotUndone, result.refusal);
    void loadHistory(editor);
    return;
  }
  const { files, turn: changed } = result.value;
  dismissUndo(editor);
  if (changed) changeThread(editor, session, (thread) => ({ ...thread, turns: withTurn(thread.turns, changed) }));
  speak(editor, messages.turnUndone);
  refreshAfterEdit(editor, files.map(({ path }) => path));
  if (inspected(editor.store.getState()) !== null) void inspect(editor);
  editor.page.send({ type: 'editor:structure' });
}

/** Why nothing can be sent now; null when it can. */
export function whyNotSend({ chats, chat, sending }: Pick<Model, 'chats' | 'chat' | 'sending'>): string | null {
  if (sending) return messages.beingSent;
  const session = known(chats)?.sessions.find(({ id }) => id === chat);
  return session?.status === 'running' || session?.status === 'waiting' ? messages.turnRuns : null;
}
