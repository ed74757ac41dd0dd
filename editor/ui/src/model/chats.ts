/** Chats as far as they are known: their list, the turns that were read, and what the program tells of them. */
import { sessionPath, SessionsSchema, ThreadSchema, type ChatSession, type ChatSessions, type Failure } from '../api/chat.ts';
import { known, loading, settled } from '../api/result.ts';
import { messages } from '../messages.ts';
import type { Editor } from './editor.ts';
import type { Model } from './model.ts';
import { toast } from './say.ts';
import { threadOf, withOlder, type Thread } from './thread.ts';

export const SESSIONS = '/api/editor/chat/sessions';

export async function loadChats(editor: Editor): Promise<void> {
  const { call, store } = editor;
  store.setState(({ chats }) => ({ chats: loading(chats) }));
  const result = await call(SessionsSchema, SESSIONS);
  store.setState({ chats: settled(result) });
  if (!result.ok) return;
  const { chat } = store.getState();
  if (chat !== null && result.value.sessions.some(({ id }) => id === chat)) return;
  const newest = result.value.sessions[0];
  if (newest) await openChat(editor, newest.id);
  else store.setState({ chat: null });
}

/** More tabs than these have no room beside each other: the other chats stand in a menu. */
const MAX_TABS = 4;

/** The chats that have a tab: the newest, and the one that is shown. A single one needs none. */
export function tabsOf({ sessions, single }: ChatSessions, chat: string | null): ChatSession[] {
  if (single || sessions.length < 2) return [];
  const first = sessions.slice(0, MAX_TABS);
  const shown = sessions.find(({ id }) => id === chat);
  return shown === undefined || first.includes(shown) ? first : [...first.slice(0, -1), shown];
}

/** What any chat does now: a question that waits comes first. */
export function chatsWork({ chats }: Pick<Model, 'chats'>): 'waiting' | 'running' | null {
  const all = known(chats)?.sessions.map(({ status }) => status) ?? [];
  return all.includes('waiting') ? 'waiting' : all.includes('running') ? 'running' : null;
}

/** Shows a chat. What is known of it stays; its stream tells the rest. */
export async function openChat(editor: Editor, id: string): Promise<void> {
  editor.store.setState({ chat: id });
  const { threads } = editor.store.getState();
  if (threads[id] === undefined || threads[id].is === 'refused') await loadThread(editor, id);
}

export async function loadThread({ call, store }: Editor, id: string): Promise<void> {
  store.setState(({ threads }) => ({ threads: { ...threads, [id]: { is: 'loading', stale: null } } }));
  const result = await call(ThreadSchema, sessionPath(id));
  store.setState(({ threads }) => ({ threads: { ...threads, [id]: settled(result.ok ? { ok: true, value: threadOf(result.value) } : result) } }));
}

/** Older turns, as somebody scrolls up. Asks once at a time, for what is before the oldest turn that is known when it asks. */
export async function loadOlder(editor: Editor, id: string): Promise<void> {
  const { call, store } = editor;
  const thread = threadIn(store.getState(), id);
  const oldest = thread?.turns[0];
  if (!thread?.more || thread.older === 'loading' || !oldest) return;
  changeThread(editor, id, (now) => ({ ...now, older: 'loading' }));
  const result = await call(ThreadSchema, sessionPath(id), { query: { before: oldest.id } });
  changeThread(editor, id, (now) => {
    if (!result.ok) return { ...now, older: result.refusal };
    // The chat was read anew meanwhile: these turns are not what is before it now.
    return now.turns[0]?.id === oldest.id ? withOlder(now, result.value.turns, result.value.more) : { ...now, older: null };
  });
}

export function threadIn({ threads }: Pick<Model, 'threads'>, id: string | null): Thread | null {
  const thread = id === null ? undefined : threads[id];
  return thread === undefined ? null : known(thread);
}

/** Changes what is known of a chat as it is now: answers and events come while others are on their way. */
export function changeThread({ store }: Editor, id: string, change: (thread: Thread) => Thread): void {
  store.setState((model) => {
    const thread = threadIn(model, id);
    if (thread === null) return {};
    const next = change(thread);
    return { threads: { ...model.threads, [id]: { is: 'ready', value: next } }, chats: withSession(model.chats, next.session) };
  });
}

/** The list with what is known of one chat now. */
export function withSession(chats: Model['chats'], session: ChatSession): Model['chats'] {
  const list = known(chats);
  const at = list?.sessions.findIndex(({ id }) => id === session.id) ?? -1;
  if (!list || at < 0 || list.sessions[at] === session) return chats;
  return { is: 'ready', value: { ...list, sessions: list.sessions.with(at, session) } };
}

/** A chat that is not there any more; the newest of the others is shown instead. */
export function chatGone(editor: Editor, id: string): void {
  const { chats, chat, threads, prompts } = editor.store.getState();
  const list = known(chats);
  const others = list?.sessions.filter((session) => session.id !== id) ?? [];
  editor.store.setState({
    ...(list ? { chats: { is: 'ready', value: { ...list, sessions: others } } } : {}),
    threads: Object.fromEntries(Object.entries(threads).filter(([key]) => key !== id)),
    prompts: Object.fromEntries(Object.entries(prompts).filter(([key]) => key !== id)),
    ...(chat === id ? { chat: null } : {}),
  });
  const next = others[0];
  if (chat === id && next) void openChat(editor, next.id);
}

/** Tells that the newest turn of a chat failed, once, also when another chat is shown. */
export async function tellFailure(editor: Editor, id: string): Promise<void> {
  const result = await editor.call(ThreadSchema, sessionPath(id), { query: { limit: 1 } });
  const turn = result.ok ? result.value.turns.at(-1) : undefined;
  if (!turn?.failure || editor.store.getState().failuresTold.includes(turn.id)) return;
  editor.store.setState(({ failuresTold }) => ({ failuresTold: [...failuresTold, turn.id].slice(-MAX_FAILURES_TOLD) }));
  toast(editor, failureToast(turn.failure));
}

const MAX_FAILURES_TOLD = 50;

export function failureToast({ kind, words, retrySeconds }: Failure): { tone: 'warn' | 'bad'; title: string; words: string } {
  if (kind === 'rate-limited') return { tone: 'warn', title: messages.chatRateLimited, words: retrySeconds === null ? '' : messages.tryAgainIn(retrySeconds) };
  return { tone: 'bad', title: messages.chatFailed, words };
}
