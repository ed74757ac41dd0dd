import { expect, test } from 'vitest';
import { beforeEdit } from '../src/actions/before.ts';
import { planRun, planShots } from '../src/actions/canvas.ts';
import { toggleCanvas } from '../src/actions/panels.ts';
import { zoomFit, zoomIn } from '../src/actions/zoom.ts';
import { parseEvent } from '../src/api/session.ts';
import { addPage, canvasEdited, changeBoard, changeShots, draftOf, loadPlan, makePlan, MAX_SHOTS, readShots, showCanvas, showPlan, shotsOf } from '../src/model/canvas.ts';
import { createEditor } from '../src/model/editor.ts';
import { onPageMessage, onServerEvent } from '../src/runtime/running.ts';
import type { PageChannel, ToPage } from '../src/api/page.ts';

const SESSION = { root: '/p', name: 'p', framework: 'react', host: { kind: 'vite', status: 'running' }, previewUrl: 'http://127.0.0.1:5000/', nonce: 'n', branch: 'main' } as const;

/** A program that has one plan, `Home`, which was run before the last edit. */
function bench({ canvas = true } = {}) {
  const asked: string[] = [];
  const told: ToPage[] = [];
  const answers: Record<string, object> = {
    '/api/editor/canvas': { plans: [{ name: 'Home', shots: 1, run: { at: 1, differ: 0, problems: 0, stale: true } }], running: null, browser: null },
    '/api/editor/plans/Home': { name: 'Home', shots: [{ page: '/', width: 390 }], hash: 'h', run: { at: 1, stale: true, shots: [] } },
  };
  const send: typeof fetch = (address, init) => {
    asked.push(`${init?.method} ${String(address)}`);
    return Promise.resolve(new Response(JSON.stringify({ ok: true, ...answers[String(address)] })));
  };
  const page: PageChannel = { lead: 'main', send: (message) => told.push(message), attach: () => undefined, receive: () => undefined };
  const editor = createEditor({ send, storage: null, open: () => undefined, copy: () => Promise.resolve(), focusPage: () => undefined, wait: () => Promise.resolve() }, page);
  const state = parseEvent('state', JSON.stringify({ ...SESSION, features: { canvas } }));
  if (state) onServerEvent(editor, state);
  onPageMessage(editor, { type: 'editor:ready', version: 1, page: 'http://127.0.0.1:5000/about?x=1', title: '' });
  told.length = 0;
  asked.length = 0;
  return { editor, asked, told, model: () => editor.store.getState() };
}

const runs = (asked: string[]): number => asked.filter((each) => each.endsWith('/run')).length;

test('switched off nothing of it is offered', () => {
  const { model } = bench({ canvas: false });
  expect(toggleCanvas.hidden?.(model())).toBe(true);
  expect(toggleCanvas.available(model())).toContain('editor.canvas');
  expect(planRun.hidden?.(model())).toBe(true);
});

test('it opens with the page that the preview shows', async () => {
  const { editor, asked, model } = bench();
  expect(toggleCanvas.hidden?.(model())).toBe(false);
  await toggleCanvas.perform(editor);
  expect(model().board.pages).toEqual(['/about?x=1']);
  expect(asked).toEqual(['POST /api/editor/canvas']);
  expect(shotsOf(model().board).map(({ width }) => width)).toEqual([390, 768, 1280]);
});

test('a page is named as one likes, once, and there are not more pictures than may be', () => {
  const { editor, model } = bench();
  showCanvas(editor, true);
  for (const page of ['cart', '/cart', '/about?x=1']) addPage(editor, page);
  expect(model().board.pages).toEqual(['/about?x=1', '/cart']);
  for (let index = 0; index < 20; index++) addPage(editor, `/${index}`);
  expect(shotsOf(model().board)).toHaveLength(MAX_SHOTS);
});

test('keys of the page’s zoom and of before mean the canvas while it is shown', async () => {
  const { editor, told, model } = bench();
  showCanvas(editor, true);
  const zoom = model().zoom;
  changeBoard(editor, { scale: 0.5 });
  void zoomIn.perform(editor);
  expect(model()).toMatchObject({ zoom, board: { zoom: 0.67 } });
  void zoomFit.perform(editor);
  expect(model().board.zoom).toBeNull();
  expect(beforeEdit.available(model())).toContain('plan');
  await showPlan(editor, 'Home');
  expect(beforeEdit.available(model())).toBe(true);
  void beforeEdit.perform(editor);
  expect(model().showsBefore).toBe('edit');
  expect(told).toEqual([]);
  showCanvas(editor, false);
  expect(model().showsBefore).toBeNull();
});

test('a plan is made of what is shown, under a name of its own', async () => {
  const { editor, asked, model } = bench();
  showCanvas(editor, true);
  await Promise.resolve();
  await editor.world.wait(0);
  await loadPlan(editor, 'Home');
  expect(await makePlan(editor, 'Home')).toBe(false);
  expect(model().toasts[0]?.words).toContain('Home');
  expect(asked.some((each) => each.startsWith('PUT'))).toBe(false);
  expect(await makePlan(editor, 'Über uns')).toBe(true);
  expect(asked).toContain('PUT /api/editor/plans/%C3%9Cber%20uns');
  expect(model().plan?.name).toBe('Über uns');
});

test('how a run goes on is told, and the plan is read again at its end', async () => {
  const { editor, asked, model } = bench();
  showCanvas(editor, true);
  await showPlan(editor, 'Home');
  onServerEvent(editor, { event: 'canvas', data: { plan: 'Home', status: 'running', done: 1, of: 2, words: null } });
  expect(model().plans).toMatchObject({ value: { running: { done: 1, of: 2 } } });
  expect(planRun.available(model())).toContain('Home');
  asked.length = 0;
  onServerEvent(editor, { event: 'canvas', data: { plan: 'Home', status: 'failed', done: 1, of: 2, words: 'It has ended' } });
  expect(model().plans).toMatchObject({ stale: { running: null } });
  expect(model().toasts[0]).toMatchObject({ tone: 'bad', words: 'It has ended' });
  expect(asked).toEqual(['POST /api/editor/canvas', 'POST /api/editor/plans/Home']);
});

test('after edits the pages are taken again, and a plan only where that is wished', async () => {
  const { editor, asked, model } = bench();
  await canvasEdited(editor);
  expect(model().board.taken).toBe(0);
  showCanvas(editor, true);
  await Promise.all([canvasEdited(editor), canvasEdited(editor)]);
  expect(model().board.taken).toBe(1);
  await showPlan(editor, 'Home');
  await canvasEdited(editor);
  expect([model().board.taken, runs(asked)]).toEqual([1, 0]);
  changeBoard(editor, { follows: true });
  await canvasEdited(editor);
  expect(runs(asked)).toBe(1);
});

test('pictures that are typed are read, or the first that is none is named', () => {
  const home = draftOf({ page: '/', width: 390, scheme: 'light' });
  expect(readShots([home, { page: ' /cart ', width: '1280', scheme: 'dark' }])).toEqual({ shots: [{ page: '/', width: 390, scheme: 'light' }, { page: '/cart', width: 1280, scheme: 'dark' }] });
  expect(readShots([home, { ...home, page: '' }])).toEqual({ wrong: 'page', at: 1 });
  for (const width of ['', ' ', '20', '390.5', '4000', 'wide']) expect(readShots([{ ...home, width }])).toEqual({ wrong: 'width', at: 0 });
  expect(readShots([home, { ...home, scheme: 'dark' }, home])).toEqual({ wrong: 'twice', at: 2 });
});

test('the pictures of a plan are written over what was read, and run where that is wished', async () => {
  const { editor, asked, model } = bench();
  showCanvas(editor, true);
  expect(planShots.available(model())).toContain('Choose a plan');
  await showPlan(editor, 'Home');
  expect(planShots.available(model())).toBe(true);
  await planShots.perform(editor);
  expect(model().dialog).toEqual({ is: 'plan-shots' });
  const plan = { name: 'Home', shots: [], problem: null, hash: 'h', run: null };
  asked.length = 0;
  expect(await changeShots(editor, plan, [{ page: '/', width: 500, scheme: 'dark' }])).toBe(true);
  expect(asked).toEqual(['PUT /api/editor/plans/Home', 'POST /api/editor/canvas', 'POST /api/editor/plans/Home']);
  changeBoard(editor, { follows: true });
  await changeShots(editor, plan, [{ page: '/', width: 500, scheme: 'dark' }]);
  expect(runs(asked)).toBe(1);
});
