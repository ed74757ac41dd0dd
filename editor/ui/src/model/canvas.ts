/** The canvas: pages at several widths as pictures, and plans of them whose runs show before and after. */
import { CanvasSchema, DoneSchema, PlanSchema, planAddress, type Plan, type Progress, type Scheme, type Shot } from '../api/canvas.ts';
import { known, loading, settled } from '../api/result.ts';
import { messages } from '../messages.ts';
import type { Editor } from './editor.ts';
import type { Board, Model } from './model.ts';
import { pathOf } from './place.ts';
import { sayRefusal, speak, toast } from './say.ts';

/** Pictures are taken again when nothing was edited for so long, in milliseconds: hot reload takes its time, and edits come in rows. */
const EDITS_REST = 700;
/** A plan has no more pictures, and so the canvas. */
export const MAX_SHOTS = 24;
/** Pictures are so wide, in CSS pixels. */
const MIN_WIDTH = 200;
const MAX_WIDTH = 3840;

/** A width as it is typed; null for what is none. */
export function widthOf(text: string): number | null {
  const width = Number(text);
  return text.trim() !== '' && Number.isInteger(width) && width >= MIN_WIDTH && width <= MAX_WIDTH ? width : null;
}

/** A picture of a plan while it is typed. */
export interface ShotDraft {
  page: string;
  width: string;
  scheme: Scheme;
}

export const draftOf = ({ page, width, scheme }: Shot): ShotDraft => ({ page, width: String(width), scheme });

/** The pictures, or which one is none yet, and why. */
export function readShots(drafts: readonly ShotDraft[]): { shots: Shot[] } | { wrong: 'page' | 'width' | 'twice'; at: number } {
  const shots: Shot[] = [];
  for (const [at, { page, width, scheme }] of drafts.entries()) {
    const shot = { page: page.trim(), width: widthOf(width) ?? 0, scheme };
    if (!shot.page.startsWith('/')) return { wrong: 'page', at };
    if (shot.width === 0) return { wrong: 'width', at };
    if (shots.some((other) => other.page === shot.page && other.width === shot.width && other.scheme === scheme)) return { wrong: 'twice', at };
    shots.push(shot);
  }
  return { shots };
}

export function showCanvas(editor: Editor, shown: boolean): void {
  const { store } = editor;
  store.setState(({ board, page }) => ({ canvas: shown, showsBefore: null, ...(shown && board.pages.length === 0 ? { board: { ...board, pages: [pathOf(page.address)] } } : {}) }));
  if (!shown) return;
  void loadCanvas(editor);
  const { plan } = store.getState();
  if (plan) void loadPlan(editor, plan.name);
}

export function changeBoard({ store }: Editor, change: Partial<Board>): void {
  store.setState(({ board }) => ({ board: { ...board, ...change } }));
}

/** Adds a page; gives why not. */
export function addPage(editor: Editor, text: string): void {
  const { board } = editor.store.getState();
  const page = text.startsWith('/') ? text : `/${text}`;
  if (!board.pages.includes(page)) changeBoard(editor, { pages: [...board.pages, page] });
}

/** What the canvas shows, row by row. */
export function shotsOf({ pages, widths, schemes }: Board): Shot[] {
  const rows = pages.flatMap((page) => schemes.map((scheme) => ({ page, scheme })));
  return rows.flatMap((row) => widths.map((width) => ({ ...row, width }))).slice(0, MAX_SHOTS);
}

/** Takes the pictures of the canvas again. */
export function takeAgain(editor: Editor): void {
  changeBoard(editor, { taken: editor.store.getState().board.taken + 1 });
}

export async function loadCanvas({ call, store }: Editor): Promise<void> {
  store.setState(({ plans }) => ({ plans: loading(plans) }));
  store.setState({ plans: settled(await call(CanvasSchema, '/api/editor/canvas')) });
}

/** Shows a plan, or the pages as they are. */
export async function showPlan(editor: Editor, name: string | null): Promise<void> {
  const { store } = editor;
  store.setState({ plan: name === null ? null : { name, value: { is: 'loading', stale: null } }, showsBefore: null });
  if (name !== null) await loadPlan(editor, name);
}

export async function loadPlan({ call, store }: Editor, name: string): Promise<void> {
  store.setState(({ plan }) => (plan?.name === name ? { plan: { name, value: loading(plan.value) } } : {}));
  const value = settled(await call(PlanSchema, planAddress(name)));
  if (store.getState().plan?.name === name) store.setState({ plan: { name, value } });
}

/** Makes a plan of what is shown; gives whether that was done. */
export async function makePlan(editor: Editor, name: string): Promise<boolean> {
  const { board, plans } = editor.store.getState();
  if (known(plans)?.plans.some((each) => each.name === name) === true) {
    toast(editor, { tone: 'bad', title: messages.planNot.made, words: messages.planThere(name) });
    return false;
  }
  const result = await editor.call(DoneSchema, planAddress(name), { method: 'PUT', body: { shots: shotsOf(board) } });
  if (!result.ok) return refused(editor, messages.planNot.made, result);
  await Promise.all([loadCanvas(editor), showPlan(editor, name)]);
  return true;
}

/** Writes other pictures into a plan that is still what was read; gives whether that was done. */
export async function changeShots(editor: Editor, { name, hash }: Plan, shots: readonly Shot[]): Promise<boolean> {
  const result = await editor.call(DoneSchema, planAddress(name), { method: 'PUT', body: { shots, hash } });
  if (!result.ok) return refused(editor, messages.planNot.changed, result);
  await Promise.all([loadCanvas(editor), loadPlan(editor, name)]);
  speak(editor, messages.planChanged);
  await runIfOld(editor, name);
  return true;
}

export async function renamePlan(editor: Editor, name: string, to: string): Promise<boolean> {
  const result = await editor.call(DoneSchema, planAddress(name, '/rename'), { body: { name: to } });
  if (!result.ok) return refused(editor, messages.planNot.renamed, result);
  if (editor.store.getState().plan?.name === name) await showPlan(editor, to);
  await loadCanvas(editor);
  return true;
}

export async function deletePlan(editor: Editor, name: string): Promise<boolean> {
  const result = await editor.call(DoneSchema, planAddress(name), { method: 'DELETE' });
  if (!result.ok) return refused(editor, messages.planNot.deleted, result);
  if (editor.store.getState().plan?.name === name) await showPlan(editor, null);
  speak(editor, messages.planDeleted);
  await loadCanvas(editor);
  return true;
}

export async function runPlan(editor: Editor, name: string): Promise<void> {
  const result = await editor.call(DoneSchema, planAddress(name, '/run'));
  if (!result.ok) sayRefusal(editor, messages.planNot.run, result.refusal);
}

export async function stopPlan(editor: Editor, name: string): Promise<void> {
  const result = await editor.call(DoneSchema, planAddress(name, '/stop'));
  if (!result.ok) sayRefusal(editor, messages.planNot.stopped, result.refusal);
}

function refused(editor: Editor, title: string, { refusal }: { refusal: Parameters<typeof sayRefusal>[2] }): false {
  sayRefusal(editor, title, refusal);
  return false;
}

/** The run of the plan that is shown, or of another one. */
export function runningOf({ plans }: Model): Progress | null {
  return known(plans)?.running ?? null;
}

/** The program tells how a run goes on, or that a plan is another. */
export async function canvasTold(editor: Editor, told: Progress): Promise<void> {
  const { store } = editor;
  const { plans } = store.getState();
  if (plans.is === 'ready' && told.status !== 'changed') {
    store.setState({ plans: { is: 'ready', value: { ...plans.value, running: told.status === 'running' ? told : null } } });
  }
  if (told.status === 'running' || !store.getState().canvas) return;
  if (told.status === 'failed') toast(editor, { tone: 'bad', title: messages.runFailed(told.plan), words: told.words ?? '' });
  if (told.status === 'done') speak(editor, messages.planDone(told.plan));
  const shown = store.getState().plan?.name === told.plan;
  await Promise.all([loadCanvas(editor), shown && told.status !== 'changed' ? loadPlan(editor, told.plan) : undefined]);
  // Something was edited meanwhile.
  if (told.status === 'done' && shown) await runIfOld(editor, told.plan);
}

/** Something was edited, by whomever: what is looked at is taken again. */
export async function canvasEdited(editor: Editor): Promise<void> {
  const { store, world } = editor;
  if (!store.getState().canvas) return;
  const edits = store.getState().board.edits + 1;
  changeBoard(editor, { edits });
  await world.wait(EDITS_REST);
  const { canvas, board, plan } = store.getState();
  if (!canvas || board.edits !== edits) return;
  if (plan === null) return takeAgain(editor);
  await Promise.all([loadCanvas(editor), loadPlan(editor, plan.name)]);
  await runIfOld(editor, plan.name);
}

/** Runs the plan that is shown where that is wished and something changed since. */
async function runIfOld(editor: Editor, name: string): Promise<void> {
  const now = editor.store.getState();
  if (isOld(now) && runningOf(now) === null) await runPlan(editor, name);
}

/** Whether the plan that is shown is to be run again. */
function isOld({ board, plan }: Model): boolean {
  return board.follows && plan !== null && known(plan.value)?.run?.stale !== false;
}
