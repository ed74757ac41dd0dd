import { expect, test } from 'vitest';
import { createEditor } from '../src/model/editor.ts';
import { showBeside } from '../src/model/panes.ts';
import { onPageMessage } from '../src/runtime/running.ts';
import { breakpoints } from '../src/actions/breakpoints.ts';
import { zoomFull } from '../src/actions/zoom.ts';
import { createPageChannel, type Pane, type Target, type ToPage } from '../src/api/page.ts';

const ORIGIN = 'http://127.0.0.1:5000';
const target = (src: string, id: number): Target => ({
  id, src, tag: 'h1', rect: { x: 0, y: 0, width: 1, height: 1 }, selector: 'h1', text: '', classes: [], shared: 2, index: 1, within: null, ancestors: [], styles: {},
});

/** An editor with both panes shown, and what each page is told. */
function twoPanes() {
  const told: Record<Pane, ToPage[]> = { main: [], side: [] };
  const frames = Object.fromEntries((['main', 'side'] as const).map((pane) => [pane, { postMessage: (message: ToPage) => told[pane].push(message) }])) as unknown as Record<Pane, Window>;
  const page = createPageChannel();
  page.attach(frames.main, ORIGIN, 'n', 'main');
  page.attach(frames.side, ORIGIN, 'n', 'side');
  const world = { send: () => new Promise<never>(() => undefined), storage: null, open: () => undefined, copy: () => Promise.resolve(), focusPage: () => undefined, wait: () => Promise.resolve() };
  const editor = createEditor(world, page);
  showBeside(editor, 390);
  for (const pane of ['main', 'side'] as const) onPageMessage(editor, { type: 'editor:ready', version: 1, page: `${ORIGIN}/`, title: '' }, pane);
  const forget = () => ((told.main.length = 0), (told.side.length = 0));
  forget();
  return { editor, told, frames, forget };
}

test('a width leaves the zoom alone, and a zoom the width', () => {
  const { editor } = twoPanes();
  expect(editor.store.getState()).toMatchObject({ width: 1280, zoom: null });
  zoomFull.perform(editor);
  breakpoints[0]?.perform(editor);
  expect(editor.store.getState()).toMatchObject({ width: 390, zoom: 1 });
});

test('what is selected in one page is selected in the other by its stamp', () => {
  const { editor, told } = twoPanes();
  onPageMessage(editor, { type: 'editor:selected', target: target('src/App.tsx:3:4', 7), under: [] }, 'main');
  expect(told.side).toContainEqual({ type: 'editor:select', quiet: true, src: 'src/App.tsx:3:4', index: 1, nonce: 'n' });
  expect(told.main.filter(({ type }) => type === 'editor:select')).toEqual([]);
});

test('the page that is clicked in leads: handles, width and structure are of it', () => {
  const { editor, told, forget } = twoPanes();
  onPageMessage(editor, { type: 'editor:selected', target: target('src/App.tsx:3:4', 7), under: [] }, 'main');
  editor.store.setState(({ beside }) => ({ shown: { width: 1280, scale: 0.5 }, beside: { ...beside, shown: { width: 390, scale: 1 } } }));
  forget();
  onPageMessage(editor, { type: 'editor:selected', target: target('src/App.tsx:9:4', 31), under: [] }, 'side');
  expect(editor.store.getState()).toMatchObject({ pane: 'side', shown: { width: 390 }, beside: { shown: { width: 1280 } }, selection: { target: { id: 31 } } });
  expect(told.main).toContainEqual({ type: 'editor:select', quiet: true, src: 'src/App.tsx:9:4', index: 1, nonce: 'n' });
  editor.page.send({ type: 'editor:preview', id: 31, property: 'color', value: 'red' });
  expect(told.side.at(-1)).toMatchObject({ type: 'editor:preview', id: 31 });
  expect(told.main.at(-1)).toEqual({ type: 'editor:preview', property: 'color', value: 'red', nonce: 'n' });
});

test('what the page beside tells of itself does not disturb the one that leads', () => {
  const { editor } = twoPanes();
  onPageMessage(editor, { type: 'editor:selected', target: target('src/App.tsx:3:4', 7), under: [] }, 'main');
  onPageMessage(editor, { type: 'editor:moved', target: target('src/Other.tsx:1:0', 7) }, 'side');
  onPageMessage(editor, { type: 'editor:structure', nodes: [] }, 'side');
  expect(editor.store.getState()).toMatchObject({ pane: 'main', structure: null, selection: { subject: { src: 'src/App.tsx:3:4' } } });
});

test('the other page goes along, once: where it is led from there is its own affair', () => {
  const { editor, told, forget } = twoPanes();
  onPageMessage(editor, { type: 'editor:page', page: `${ORIGIN}/pricing`, title: '' }, 'main');
  expect(told.side).toContainEqual({ type: 'editor:go', to: `${ORIGIN}/pricing`, nonce: 'n' });
  forget();
  onPageMessage(editor, { type: 'editor:ready', version: 1, page: `${ORIGIN}/m/pricing`, title: '' }, 'side');
  expect([...told.main, ...told.side].filter(({ type }) => type === 'editor:go')).toEqual([]);
});

test('closing the second page leads with the first again', () => {
  const { editor } = twoPanes();
  onPageMessage(editor, { type: 'editor:selected', target: target('src/App.tsx:3:4', 7), under: [] }, 'side');
  showBeside(editor, null);
  expect(editor.store.getState()).toMatchObject({ pane: 'main', sideWidth: null, page: { ready: true } });
  expect(editor.page.lead).toBe('main');
});
