/** What a model may try where an edit was refused: each from the offer to its outcome. Other edits do not wait for it. */
import * as v from 'valibot';
import { EditedSchema, type Edited, type EditRequest } from '../api/edit.ts';
import { RefusedTrySchema, TriedSchema, type LaneCost, type LaneEvent, type TryRequest } from '../api/models.ts';
import type { Refusal } from '../api/result.ts';
import { pagePath } from '@kit/samePage.ts';
import { messages } from '../messages.ts';
import { keepBefore } from './before.ts';
import type { Editor } from './editor.ts';
import { follow, looked, type Looked } from './following.ts';
import type { Attempt } from './model.ts';
import { mayAsk } from './models.ts';
import { dismissUndo, speak, whileBusy } from './say.ts';
import { stepHistory } from './stepping.ts';

/** Older ones make room. */
const MAX_ATTEMPTS = 4;

/** Offers that a model tries a refused edit, or lets it at once, as people prefer. Gives whether it did: the refusal needs no other words then. */
export function offer(editor: Editor, title: string, request: EditRequest, refusal: Refusal): boolean {
  const { store } = editor;
  const { letModelTry } = store.getState();
  if (refusal.fallback == null || !mayAsk(store.getState())) return false;
  const attempt: Attempt = { id: crypto.randomUUID(), title, request, reason: refusal.reason, state: { is: 'offered' } };
  // The same edit once more is offered once.
  const isSame = ({ state, request: { src, kind } }: Attempt): boolean => state.is === 'offered' && src === request.src && kind === request.kind;
  store.setState(({ attempts }) => ({ attempts: [...attempts.filter((other) => !isSame(other)), attempt].slice(-MAX_ATTEMPTS) }));
  if (letModelTry === 'always') void letTry(editor, attempt.id);
  else speak(editor, `${messages.notDone(title)}. ${refusal.reason}`);
  return true;
}

/** Lets a model try. */
export async function letTry(editor: Editor, id: string): Promise<void> {
  const attempt = find(editor, id);
  if (!attempt || attempt.state.is === 'running') return;
  const stop = new AbortController();
  change(editor, id, { is: 'running', step: 'asking', usd: 0, stop: () => stop.abort() });
  speak(editor, messages.modelTries);
  keepBefore(editor);
  const since = looked(editor);
  const { address } = editor.store.getState().page;
  const body: TryRequest = { ...attempt.request, ticket: id, ...(address === '' ? {} : { page: pagePath(address) }) };
  const result = await whileBusy(editor, editor.call(TriedSchema, '/api/editor/llm-fallback', { body, signal: stop.signal }));
  if (result.ok) done(editor, attempt, result.value, { why: result.value.why ?? '', cost: result.value.cost }, since);
  else if (result.refusal.code === 'aborted') change(editor, id, { is: 'stopped' });
  else refused(editor, id, result.refusal);
}

function find({ store }: Editor, id: string): Attempt | undefined {
  return store.getState().attempts.find((attempt) => attempt.id === id);
}

function change({ store }: Editor, id: string, state: Attempt['state']): void {
  store.setState(({ attempts }) => ({ attempts: attempts.map((attempt) => (attempt.id === id ? { ...attempt, state } : attempt)) }));
}

/** The change is there, also when nobody looks at the attempt any more. */
function done(editor: Editor, { id, request, title }: Attempt, edited: Edited, more: { why: string; cost: LaneCost | null }, since?: Looked): void {
  change(editor, id, { is: 'done', editId: edited.editId, files: edited.files, ...more });
  speak(editor, messages.modelDid(title));
  dismissUndo(editor);
  editor.page.send({ type: 'editor:follow', src: request.src, to: edited.src ?? request.src });
  editor.queue.redirect({ src: request.src, item: null, hash: null, usage: null, before: null }, edited.src, request.kind);
  follow(editor, request, edited, since);
}

function refused(editor: Editor, id: string, refusal: Refusal): void {
  const read = v.safeParse(RefusedTrySchema, refusal);
  const { proposal, cost } = read.success ? read.output : { proposal: null, cost: null };
  const reason = withWords(refusal);
  change(editor, id, proposal === null ? { is: 'refused', reason, cost } : { is: 'asks', reason, proposal, cost });
  speak(editor, reason);
}

/** The reason, and what the provider said itself where that is not in it. */
export function withWords({ reason, words }: Refusal): string {
  return words == null || words === '' || reason.includes(words) ? reason : `${reason} ${words}`;
}

/** Says yes to a change that no page could confirm. */
export async function acceptProposal(editor: Editor, id: string): Promise<void> {
  const attempt = find(editor, id);
  if (attempt?.state.is !== 'asks') return;
  const { proposal, cost } = attempt.state;
  const result = await whileBusy(editor, editor.call(EditedSchema, '/api/editor/llm-fallback/accept', { body: { proposal: proposal.id } }));
  if (result.ok) done(editor, attempt, result.value, { why: proposal.why ?? '', cost });
  else change(editor, id, { is: 'refused', reason: result.refusal.reason, cost });
}

/** Ends the request, which stops the model: nothing is changed. */
export function stopTrying(editor: Editor, id: string): void {
  const state = find(editor, id)?.state;
  if (state?.is !== 'running') return;
  state.stop();
  speak(editor, messages.modelStopped);
}

export function dropAttempt(editor: Editor, id: string): void {
  stopTrying(editor, id);
  editor.store.setState(({ attempts }) => ({ attempts: attempts.filter((attempt) => attempt.id !== id) }));
}

/** Takes back what a model did. */
export async function undoAttempt(editor: Editor, id: string): Promise<void> {
  const state = find(editor, id)?.state;
  if (state?.is !== 'done' || state.editId === null) return;
  if (await stepHistory(editor, 'undo', state.editId)) dropAttempt(editor, id);
}

/** What the program tells of a model at work. */
export function attemptTold(editor: Editor, { ticket, step, usd }: LaneEvent): void {
  const attempt = find(editor, ticket ?? '');
  if (attempt?.state.is === 'running') change(editor, attempt.id, { ...attempt.state, step, usd });
}
