import { expect, test } from 'vitest';
import { addPicture, anchorsOf, folderFor } from '../src/model/assets.ts';
import { withRecent } from '../src/model/colours.ts';
import { edit } from '../src/model/edits.ts';
import { createEditor } from '../src/model/editor.ts';
import { selectTarget } from '../src/model/selecting.ts';
import { stepsOf, toggleAlso } from '../src/model/several.ts';
import { stepHistory } from '../src/model/stepping.ts';
import { lookOf, missing } from '../src/model/style_clipboard.ts';
import type { Inspection } from '../src/api/inspection.ts';
import type { PageChannel, Target, ToPage } from '../src/api/page.ts';

const target = (src: string): Target => ({
  id: 1, src, tag: 'h1', rect: { x: 0, y: 0, width: 1, height: 1 }, selector: 'h1', text: '', classes: [], shared: 1, index: 0, within: null, ancestors: [], styles: {},
});
const node = (line: number, tag: string) => ({ src: `src/App.tsx:${line}:4`, tag, component: false, text: '', children: [] });

/** A program with a file of three elements, which counts the steps. */
function bench() {
  const asked: Record<string, unknown>[] = [];
  const told: ToPage[] = [];
  let undone = 0;
  const page: PageChannel = { lead: 'main', send: (message) => told.push(message), attach: () => undefined, receive: () => undefined };
  const answer = (path: string, body: Record<string, unknown>): unknown => {
    if (path === '/api/editor/tree') return { ok: true, path: 'src/App.tsx', hash: `h${asked.length}`, nodes: [node(3, 'h1'), node(5, 'p'), node(9, 'p')] };
    if (path === '/api/editor/undo') return { ok: true, editId: String(asked.length - undone++), files: [] };
    if (path === '/api/editor/history') return { ok: true, entries: [], canUndo: true };
    if (path === '/api/editor/assets') return { ok: true, path: 'public/team.png', address: '/team.png', editId: 'a', files: [] };
    if (path !== '/api/editor/edit') return { ok: false, code: 'no', reason: 'no' };
    asked.push(body);
    return { ok: true, editId: String(asked.length), files: [{ path: 'src/App.tsx', diff: '' }], src: body['src'] };
  };
  const send: typeof fetch = (input, init) => {
    const { pathname } = new URL(String(input), 'http://127.0.0.1');
    return Promise.resolve(new Response(JSON.stringify(answer(pathname, typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {}))));
  };
  const editor = createEditor({ send, storage: null, open: () => undefined, copy: () => Promise.resolve(), focusPage: () => undefined, wait: () => Promise.resolve() }, page);
  selectTarget(editor, target('src/App.tsx:3:4'));
  return { editor, asked, told, undoneSteps: () => undone };
}

test('an edit is done to each selected element, the last in the file first, each in the source as it is then', async () => {
  const { editor, asked } = bench();
  toggleAlso(editor, { src: 'src/App.tsx:5:4', index: 0, tag: 'p' });
  toggleAlso(editor, { src: 'src/App.tsx:9:4', index: 0, tag: 'p' });
  const done = await edit(editor, { kind: 'style', property: 'color', value: 'red' }, { title: 'Set color' });
  expect(asked.map(({ src, sourceHash }) => [src, sourceHash])).toEqual([['src/App.tsx:9:4', 'h0'], ['src/App.tsx:5:4', 'h1'], ['src/App.tsx:3:4', 'h2']]);
  expect(done?.src).toBe('src/App.tsx:3:4');
  expect(editor.store.getState().groups).toEqual([['1', '2', '3']]);
});

test('an element that does not stand there any more is left out, and that is said', async () => {
  const { editor, asked } = bench();
  toggleAlso(editor, { src: 'src/App.tsx:5:4', index: 0, tag: 'button' });
  await edit(editor, { kind: 'style', property: 'color', value: 'red' }, { title: 'Set color' });
  expect(asked.map(({ src }) => src)).toEqual(['src/App.tsx:3:4']);
  expect(editor.store.getState().toasts.map(({ title }) => title)).toContain('Set color: not done for <button>');
});

test('what was done together is taken back together', async () => {
  const { editor, undoneSteps } = bench();
  toggleAlso(editor, { src: 'src/App.tsx:5:4', index: 0, tag: 'p' });
  await edit(editor, { kind: 'style', property: 'color', value: 'red' }, { title: 'Set color' });
  const entries = [2, 1].map((id) => ({ editId: String(id), at: '', title: '', files: [], undone: false, skipped: false }));
  editor.store.setState({ history: { is: 'ready', value: { entries, canUndo: true, canRedo: false } } });
  await stepHistory(editor, 'undo');
  expect(undoneSteps()).toBe(2);
});

test('a step that stands between the edits of a group is not taken along', () => {
  const entry = (editId: string, undone = false) => ({ editId, undone });
  const groups = [['1', '2', '4']];
  expect(stepsOf({ groups, history: [entry('4'), entry('3'), entry('2'), entry('1')] }, 'undo')).toBe(1);
  expect(stepsOf({ groups, history: [entry('5', true), entry('2'), entry('1'), entry('0')] }, 'undo')).toBe(2);
  expect(stepsOf({ groups, history: [entry('3', true), entry('2', true), entry('1', true)] }, 'redo')).toBe(2);
  expect(stepsOf({ groups, history: [] }, 'undo')).toBe(1);
});

test('selecting anew lets the others go; a second click with Shift too', () => {
  const { editor, told } = bench();
  const other = { src: 'src/App.tsx:5:4', index: 0, tag: 'p' };
  toggleAlso(editor, other);
  expect(told.at(-1)).toEqual({ type: 'editor:mark', places: [{ src: other.src, index: 0 }] });
  toggleAlso(editor, other);
  expect(editor.store.getState().alsoSelected).toEqual([]);
  toggleAlso(editor, other);
  selectTarget(editor, target('src/App.tsx:9:4'));
  expect(editor.store.getState().alsoSelected).toEqual([]);
});

test('a look is the deciding declarations and the utilities; what an element has already is not pasted', () => {
  const style = (property: string, value: string) => ({ property, value, from: 'scoped' as const, at: null, editable: true, why: null, shared: 1 });
  const facts = (styles: ReturnType<typeof style>[], list: string[]): Inspection =>
    ({ tag: 'p', styles, classes: { list }, utilities: { fresh: true, set: list.map((name) => ({ class: name, variants: [], properties: [], among: [] })) } }) as unknown as Inspection;
  const look = lookOf(facts([style('color', 'red'), style('color', 'blue'), style('margin', '0')], ['p-4']));
  expect(look).toEqual({ from: 'p', declarations: [{ property: 'color', value: 'red' }, { property: 'margin', value: '0' }], classes: ['p-4'] });
  expect(missing(look, facts([style('margin', '0')], ['p-4', 'm-2']))).toEqual({ declarations: [{ property: 'color', value: 'red' }], classes: [] });
});

test('colours used before stand once, the newest first, and are few', () => {
  expect(withRecent(['#000000'], 'rgb(255, 0, 0)')).toEqual(['#ff0000', '#000000']);
  expect(withRecent(['#ff0000', '#000000'], '#000')).toEqual(['#000000', '#ff0000']);
  expect(withRecent(['#000000'], 'bg-red-500')).toEqual(['#000000']);
  expect(Array.from({ length: 20 }, (_, at) => `#0000${10 + at}`).reduce(withRecent, [] as string[])).toHaveLength(12);
});

test('a picture that is added is named in the attribute, and both are one step', async () => {
  const { editor, asked } = bench();
  expect(await addPicture(editor, new File(['x'], 'team.png'), 'src', 'public')).toBe(true);
  expect(asked).toMatchObject([{ kind: 'picture', name: 'src', path: 'public/team.png' }]);
  expect(editor.store.getState().groups).toEqual([['a', '1']]);
});

test('a new picture goes where the one before it came from', () => {
  const folders = ['public', 'src/assets'];
  for (const [value, form, wanted] of [['/old.png', 'literal', 'public'], ['', 'literal', 'public'], ['logo', 'expression', 'src/assets'], ['hero', 'bound', 'src/assets'], ['@/assets/a.png', 'literal', 'src/assets'], ['./a.png', 'literal', 'src/assets']] as const) {
    expect(folderFor({ value, form }, folders)).toBe(wanted);
  }
});

test('links can lead to the ids of the page', () => {
  const node = (mark: string, ...children: ReturnType<typeof tree>[]) => tree(mark, children);
  const tree = (mark: string, children: object[]) => ({ id: 1, src: '', tag: 'p', mark, text: '', children }) as never;
  expect(anchorsOf([node('#top.hero', node('.card'), node('#end'))])).toEqual(['#top', '#end']);
});
