import { expect, test } from 'vitest';
import { createEditor, type Editor } from '../src/model/editor.ts';
import { remove } from '../src/actions/delete.ts';
import { reply } from '../src/model/commenting.ts';
import { edit } from '../src/model/edits.ts';
import { enterMode } from '../src/model/modes.ts';
import { hasSibling, moveBy, moveTo } from '../src/model/moving.ts';
import { onPageMessage, onServerEvent } from '../src/runtime/running.ts';
import { aimed } from '../src/model/aiming.ts';
import { selectSource, selectTarget } from '../src/model/selecting.ts';
import { stepHistory } from '../src/model/stepping.ts';
import type { Choice } from '../src/api/result.ts';
import type { FromPage, PageChannel, Target, ToPage } from '../src/api/page.ts';

const target = (src: string | null, more: Partial<Target> = {}): Target => ({
  id: 1, src, tag: 'h1', rect: { x: 0, y: 0, width: 1, height: 1 }, selector: 'h1', text: 'Title', classes: [], shared: 1, index: 0, within: null, ancestors: [], styles: {}, ...more,
});
const can = Object.fromEntries(['text', 'attribute', 'style', 'class', 'insert', 'move', 'duplicate', 'delete', 'detach', 'swap'].map((kind) => [kind, true]));
const inspection = (src: string, more: object = {}) => ({
  ok: true, src, path: 'src/App.tsx', hash: `hash of ${src}`, language: 'jsx', tag: 'h1', component: 'App', isComponent: false, repeated: false, conditional: false,
  attributes: [], classes: { list: [], editable: true, why: null, form: 'none' }, text: [], styles: [], usages: [], can, ...more,
});

/** A program that answers from a list of functions by path, and a page that notes what it is told. */
function bench(answers: Record<string, (body: Record<string, unknown>, query: URLSearchParams) => unknown>): { editor: Editor; told: ToPage[]; asked: Record<string, unknown>[] } {
  const told: ToPage[] = [];
  const asked: Record<string, unknown>[] = [];
  const page: PageChannel = { lead: 'main', send: (message) => told.push(message), attach: () => undefined, receive: () => undefined };
  const send: typeof fetch = (input, init) => {
    const { pathname, searchParams } = new URL(String(input), 'http://127.0.0.1');
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {};
    if (pathname === '/api/editor/edit') asked.push(body);
    const answer = answers[pathname]?.(body, searchParams) ?? { ok: false, code: 'unknown', reason: 'unknown' };
    return Promise.resolve(new Response(JSON.stringify(answer)));
  };
  const world = { send, storage: null, open: () => undefined, copy: () => Promise.resolve(), focusPage: () => undefined, wait: () => settle(1) };
  return { editor: createEditor(world, page), told, asked };
}

const done = (src: string) => ({ ok: true, editId: '1', files: [{ path: 'src/App.tsx', diff: '' }], src });
const settle = (milliseconds = 5): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const inspects = { '/api/editor/inspect': (_: unknown, query: URLSearchParams) => inspection(query.get('src') ?? '') };

test('an edit names the element, the hash that was seen, and the item', async () => {
  const { editor, asked } = bench({ ...inspects, '/api/editor/edit': () => done('src/App.tsx:3:4') });
  selectTarget(editor, target('src/App.tsx:3:4', { shared: 3, index: 2 }));
  await settle();
  await edit(editor, { kind: 'delete' }, { title: 'Delete' });
  expect(asked).toEqual([{ kind: 'delete', src: 'src/App.tsx:3:4', sourceHash: 'hash of src/App.tsx:3:4', item: 2 }]);
});

test('after an edit the element is selected again only while it is still the selected one', async () => {
  const { editor, told } = bench({ ...inspects, '/api/editor/edit': () => done('src/App.tsx:4:4') });
  selectTarget(editor, target('src/App.tsx:3:4', { id: 7 }));
  await settle();
  await edit(editor, { kind: 'text', text: 'New' }, { title: 'Edit text' });
  onPageMessage(editor, { type: 'editor:structure', nodes: [{ id: 8, src: 'src/App.tsx:4:4', tag: 'h1', mark: '', text: '', children: [] }] });
  await settle(20);
  expect(told.find(({ type }) => type === 'editor:select')).toEqual({ type: 'editor:select', src: 'src/App.tsx:4:4', index: 0, from: 7 });
});

test('what the page tells of an edited element by its old stamp is told of that element', async () => {
  const { editor, told } = bench({ ...inspects, '/api/editor/edit': () => done('src/App.tsx:4:4') });
  selectTarget(editor, target('src/App.tsx:5:4', { id: 7, tag: 'p' }));
  await settle();
  await edit(editor, { kind: 'move', to: 'src/App.tsx:4:4', place: 'before' }, { title: 'Move' });
  expect(told.filter(({ type }) => type === 'editor:follow')).toEqual([
    { type: 'editor:follow', src: 'src/App.tsx:5:4' },
    { type: 'editor:follow', src: 'src/App.tsx:5:4', to: 'src/App.tsx:4:4' },
  ]);
  const subject = (): string | undefined => editor.store.getState().selection?.subject.src;
  onPageMessage(editor, { type: 'editor:moved', target: target('src/App.tsx:5:4', { id: 7, tag: 'p' }) });
  expect(subject()).toBe('src/App.tsx:4:4');
  // Another element has the new stamp until hot reload is through.
  onPageMessage(editor, { type: 'editor:structure', nodes: [{ id: 8, src: 'src/App.tsx:4:4', tag: 'h1', mark: '', text: '', children: [] }] });
  await settle(20);
  expect(told.filter(({ type }) => type === 'editor:select')).toEqual([]);
  onPageMessage(editor, { type: 'editor:moved', target: target('src/App.tsx:4:4', { id: 7, tag: 'p' }) });
  expect(subject()).toBe('src/App.tsx:4:4');
  onPageMessage(editor, { type: 'editor:moved', target: target('src/App.tsx:5:4', { id: 7, tag: 'p' }) });
  expect(subject()).toBe('src/App.tsx:5:4');
});

test('an edit that is refused leaves the page following the old stamp', async () => {
  const { editor, told } = bench({ ...inspects, '/api/editor/edit': () => ({ ok: false, code: 'no-text', reason: 'No.' }) });
  selectTarget(editor, target('src/App.tsx:3:4'));
  await settle();
  await edit(editor, { kind: 'text', text: 'New' }, { title: 'Edit text' });
  expect(told).toContainEqual({ type: 'editor:follow', src: 'src/App.tsx:3:4', to: 'src/App.tsx:3:4' });
});

test('the one likely use of the component goes along', async () => {
  const usages = [
    { src: 'src/App.tsx:9:2', component: 'Card', path: 'src/App.tsx', text: '', likely: true },
    { src: 'src/App.tsx:10:2', component: 'Card', path: 'src/App.tsx', text: '', likely: false },
  ];
  const { editor, asked } = bench({ '/api/editor/inspect': () => inspection('src/Card.tsx:3:4', { usages }), '/api/editor/edit': () => done('src/Card.tsx:3:4') });
  selectTarget(editor, target('src/Card.tsx:3:4'));
  await settle();
  await edit(editor, { kind: 'text', text: 'New' }, { title: 'Edit text' });
  expect(asked[0]?.['usage']).toBe('src/App.tsx:9:2');
});

test('edits are done one after the other, each at the place the one before it left', async () => {
  let line = 3;
  const { editor, asked } = bench({ ...inspects, '/api/editor/edit': () => done(`src/App.tsx:${++line}:4`) });
  selectTarget(editor, target('src/App.tsx:3:4'));
  await settle();
  await Promise.all([
    edit(editor, { kind: 'style', property: 'color', value: 'red' }, { title: 'a' }),
    edit(editor, { kind: 'style', property: 'margin', value: '0' }, { title: 'b' }),
  ]);
  expect(asked.map(({ src }) => src)).toEqual(['src/App.tsx:3:4', 'src/App.tsx:4:4']);
  expect(editor.store.getState().selection?.subject.src).toBe('src/App.tsx:5:4');
  expect(editor.store.getState().busy).toBe(0);
});

test('an edit that waits is meant for what was selected when it was asked for', async () => {
  const { editor, asked } = bench({ ...inspects, '/api/editor/edit': (body) => done(String(body['src'])) });
  selectTarget(editor, target('src/App.tsx:3:4'));
  await settle();
  const first = edit(editor, { kind: 'duplicate' }, { title: 'a' });
  const second = edit(editor, { kind: 'style', property: 'color', value: 'red' }, { title: 'b' });
  selectTarget(editor, target('src/Card.tsx:1:0', { id: 2 }));
  await Promise.all([first, second]);
  expect(asked.map(({ src }) => src)).toEqual(['src/App.tsx:3:4', 'src/App.tsx:3:4']);
});

test('the edits of one editor do not wait for those of another', async () => {
  const never = new Promise<Response>(() => undefined);
  const world = { send: () => never, storage: null, open: () => undefined, copy: () => Promise.resolve(), focusPage: () => undefined, wait: () => settle(1) };
  void edit(createEditor(world), { kind: 'delete' }, { title: 'Delete', src: 'src/App.tsx:3:4' });
  const { editor } = bench({ ...inspects, '/api/editor/edit': () => done('src/App.tsx:3:4') });
  expect(await edit(editor, { kind: 'duplicate' }, { title: 'Duplicate', src: 'src/App.tsx:3:4' })).not.toBeNull();
});

test('a choice is asked for and sent under its own name', async () => {
  const choices = [{ option: 'scope', value: 'item', label: 'This item' }, { option: 'scope', value: 'all', label: 'All items' }];
  const answer = (body: Record<string, unknown>) => (body['scope'] === undefined ? { ok: false, code: 'choice-needed', reason: 'Which?', choices } : done('src/App.tsx:3:4'));
  const { editor, asked } = bench({ ...inspects, '/api/editor/edit': answer });
  selectTarget(editor, target('src/App.tsx:3:4'));
  await settle();
  const editing = edit(editor, { kind: 'text', text: 'New' }, { title: 'Edit text' });
  await settle();
  const { choosing } = editor.store.getState();
  expect(choosing?.refusal.reason).toBe('Which?');
  choosing?.choose(choosing.refusal.choices[1] ?? null);
  expect(await editing).not.toBeNull();
  expect(asked.at(-1)?.['scope']).toBe('all');
  expect(editor.store.getState().choosing).toBeNull();
});

test('a choice that is called off edits nothing and says nothing', async () => {
  const choices = [{ option: 'run', value: 1, label: 'Second' }];
  const { editor, asked } = bench({ ...inspects, '/api/editor/edit': () => ({ ok: false, code: 'choice-needed', reason: 'Which?', choices }) });
  selectTarget(editor, target('src/App.tsx:3:4'));
  await settle();
  const editing = edit(editor, { kind: 'text', text: 'New' }, { title: 'Edit text' });
  await settle();
  editor.store.getState().choosing?.choose(null);
  expect(await editing).toBeNull();
  expect(asked).toHaveLength(1);
  expect(editor.store.getState().toasts).toEqual([]);
});

test('a refusal is told in the program’s words', async () => {
  const { editor } = bench({ ...inspects, '/api/editor/edit': () => ({ ok: false, code: 'spread-after', reason: 'A spread follows.' }) });
  selectTarget(editor, target('src/App.tsx:3:4'));
  await settle();
  expect(await edit(editor, { kind: 'attribute', name: 'id', value: 'a' }, { title: 'Set id' })).toBeNull();
  expect(editor.store.getState().toasts).toMatchObject([{ tone: 'bad', title: 'Set id: not done', words: 'A spread follows.' }]);
});

test('an element a library made says so and is not asked about', async () => {
  const { editor } = bench({});
  selectTarget(editor, target(null));
  await settle();
  expect(editor.store.getState().inspection).toMatchObject({ is: 'refused', refusal: { code: 'no-source' } });
});

test('a component of the tree means the use at its place on the page', async () => {
  const use = (line: number) => ({ src: `src/App.tsx:${line}:2`, component: 'Card', path: 'src/App.tsx', text: '', likely: false });
  const answer = (_: unknown, query: URLSearchParams) => inspection(query.get('src') ?? '', query.get('src')?.startsWith('src/Card') ? { usages: [use(9), use(10)] } : {});
  const { editor } = bench({ '/api/editor/inspect': answer });
  const card = { src: 'src/Card.tsx:1:0', tag: 'article', mark: '', text: '', children: [] };
  editor.store.setState({ structure: [{ ...card, id: 1 }, { ...card, id: 2 }] });
  selectSource(editor, card.src, { id: 2, index: 1, use: true });
  await settle();
  expect(editor.store.getState().selection?.use).toBeNull();
  selectTarget(editor, target(card.src, { id: 2, shared: 2, index: 1 }));
  await settle();
  expect(editor.store.getState().selection?.use).toBe('src/App.tsx:10:2');
  expect(editor.store.getState().inspection).toMatchObject({ is: 'ready', value: { src: 'src/App.tsx:10:2' } });
});

test('a page that was loaded again gets its selection back once the element is there', async () => {
  const { editor, told } = bench(inspects);
  selectTarget(editor, target('src/App.tsx:3:4', { shared: 2, index: 1 }));
  await settle();
  onPageMessage(editor, { type: 'editor:ready', version: 1, page: '/', title: '' });
  onPageMessage(editor, { type: 'editor:structure', nodes: [] });
  expect(told.filter(({ type }) => type === 'editor:select')).toEqual([]);
  onPageMessage(editor, { type: 'editor:structure', nodes: [{ id: 9, src: 'src/App.tsx:3:4', tag: 'h1', mark: '', text: '', children: [] }] });
  expect(told.filter(({ type }) => type === 'editor:select')).toEqual([{ type: 'editor:select', src: 'src/App.tsx:3:4', index: 1 }]);
});

test('a late answer about an element that is no longer selected is dropped', async () => {
  const answers: (() => void)[] = [];
  const { editor } = bench({});
  const slow: typeof fetch = (input) =>
    new Promise((resolve) => answers.push(() => resolve(new Response(JSON.stringify(inspection(new URL(String(input), 'http://x').searchParams.get('src') ?? ''))))));
  const own = createEditor({ ...editor.world, send: slow }, editor.page);
  selectTarget(own, target('src/App.tsx:1:0'));
  selectTarget(own, target('src/App.tsx:2:0', { id: 2 }));
  for (const answer of answers.reverse()) answer();
  await settle();
  expect(own.store.getState().inspection).toMatchObject({ is: 'ready', value: { src: 'src/App.tsx:2:0' } });
});

test('a text edited in the page is an edit of its run', async () => {
  const { editor, asked } = bench({ ...inspects, '/api/editor/edit': () => done('src/App.tsx:3:4') });
  selectTarget(editor, target('src/App.tsx:3:4'));
  await settle();
  const edit = editor.begun.begin('text', 'src/App.tsx:3:4');
  const message: FromPage = { type: 'editor:text', id: 1, src: 'src/App.tsx:3:4', index: 0, run: 1, before: 'Old', text: 'New', edit };
  onPageMessage(editor, message);
  await settle();
  expect(asked).toMatchObject([{ kind: 'text', text: 'New', run: 1, before: 'Old', src: 'src/App.tsx:3:4' }]);
});

/** Somebody double-clicks the element, and what is typed there comes later. */
const typedIn = (editor: Editor, told: ToPage[], here: Target): ((text: string) => void) => {
  onPageMessage(editor, { type: 'editor:wants-text', target: here, at: { x: 1, y: 1 } });
  const { edit } = told.filter((message) => message.type === 'editor:edit-text').at(-1) ?? { edit: '' };
  return (text) => onPageMessage(editor, { type: 'editor:text', id: here.id, src: here.src ?? '', index: here.index, run: null, before: 'Old', text, edit });
};

test('a text typed in the page is of the item it was begun in, whatever is selected when it ends', async () => {
  const { editor, asked, told } = bench({ ...inspects, '/api/editor/edit': () => done('src/App.tsx:3:4') });
  const item = (index: number): Target => target('src/App.tsx:3:4', { id: index + 1, shared: 3, index });
  const end = typedIn(editor, told, item(1));
  await settle();
  selectTarget(editor, item(0));
  end('New');
  await settle();
  expect(asked).toEqual([{ kind: 'text', text: 'New', src: 'src/App.tsx:3:4', sourceHash: 'hash of src/App.tsx:3:4', item: 1, before: 'Old' }]);
});

test('a text typed in the page names the source as it was when typing began', async () => {
  let hash = 'first';
  const { editor, asked, told } = bench({ '/api/editor/inspect': (_, query) => inspection(query.get('src') ?? '', { hash }), '/api/editor/edit': () => done('src/App.tsx:4:4') });
  const end = typedIn(editor, told, target('src/App.tsx:3:4'));
  await settle();
  hash = 'second';
  onServerEvent(editor, { event: 'files', data: { paths: ['src/App.tsx'] } });
  await settle();
  expect(editor.store.getState().inspection).toMatchObject({ value: { hash } });
  end('New');
  await settle();
  expect(asked).toMatchObject([{ sourceHash: 'first', before: 'Old' }]);
});

test('what is typed while an edit of the same text is done goes along with it', async () => {
  const { editor, asked } = bench({ ...inspects, '/api/editor/edit': () => done('src/App.tsx:5:4') });
  selectTarget(editor, target('src/App.tsx:3:4'));
  await settle();
  const typing = aimed(editor, { before: 'Old' });
  const other = aimed(editor, { src: 'src/App.tsx:9:4', before: 'Other' });
  await edit(editor, { kind: 'text', text: 'Newer' }, { title: 'Edit text' });
  await edit(editor, { kind: 'text', text: 'Newest' }, { title: 'Edit text', aim: typing.aim });
  expect(asked.at(-1)).toEqual({ kind: 'text', text: 'Newest', src: 'src/App.tsx:5:4' });
  expect(other.aim).toMatchObject({ src: 'src/App.tsx:9:4', before: 'Other' });
});

test('whoever chooses a text means it, whatever the page showed', async () => {
  const choices = [{ option: 'branch', value: 'then', label: 'One' }, { option: 'branch', value: 'else', label: 'Two' }];
  const { editor, asked } = bench({ ...inspects, '/api/editor/edit': (body) => (body['branch'] === undefined ? { ok: false, code: 'choice-needed', reason: 'Which?', choices } : done('src/App.tsx:3:4')) });
  selectTarget(editor, target('src/App.tsx:3:4'));
  await settle();
  const editing = edit(editor, { kind: 'text', text: 'New' }, { title: 'Edit text', aim: aimed(editor, { before: 'Old' }).aim });
  await settle();
  editor.store.getState().choosing?.choose(choices[1] as Choice);
  await editing;
  expect(asked.map((body) => [body['before'], body['branch']])).toEqual([['Old', undefined], [undefined, 'else']]);
});

test('what the page brings counts once, for the edit that was begun here and its element', async () => {
  const { editor, asked, told } = bench({ ...inspects, '/api/editor/tree': () => file('new'), '/api/editor/edit': () => done('src/App.tsx:3:4') });
  const [here, there] = ['src/App.tsx:3:4', 'src/App.tsx:4:4'];
  const text = (edit: string, src = here): void => onPageMessage(editor, { type: 'editor:text', id: 1, src, index: 0, run: null, before: 'Old', text: 'New', edit });
  const drop = (edit: string, src = here): void => onPageMessage(editor, { type: 'editor:drop', src, to: there, tag: 'p', place: 'after', edit });
  selectTarget(editor, target(here));
  await settle();
  text('');
  text('guessed');
  drop('guessed');
  text(editor.begun.begin('text', here), there);
  drop(editor.begun.begin('text', here));
  text(editor.begun.begin('drag', here));
  // Something else is begun before it ends.
  const stale = editor.begun.begin('text', here);
  editor.begun.begin('drag', here);
  text(stale);
  onPageMessage(editor, { type: 'editor:wants-drag', src: there });
  await settle();
  expect(asked).toEqual([]);
  expect(told.filter(({ type }) => type === 'editor:drag')).toEqual([]);
  const edit = editor.begun.begin('text', here);
  text(edit);
  text(edit);
  await settle();
  expect(asked).toHaveLength(1);
});

test('a page that nobody touches begins no edit and presses no key', async () => {
  const { editor, asked, told } = bench({ ...inspects, '/api/editor/edit': () => done('src/App.tsx:3:4') });
  let touched = false;
  const own = createEditor({ ...editor.world, isTouched: () => touched }, editor.page);
  selectTarget(own, target('src/App.tsx:3:4'));
  await settle();
  const page = (): void => {
    onPageMessage(own, { type: 'editor:wants-text', target: target('src/App.tsx:3:4'), at: { x: 1, y: 1 } });
    onPageMessage(own, { type: 'editor:wants-drag', src: 'src/App.tsx:3:4' });
    onPageMessage(own, { type: 'editor:key', key: 'Delete', meta: false, ctrl: false, shift: false, alt: false });
  };
  page();
  await settle();
  // What the page began by itself is ended.
  expect([asked, told]).toEqual([[], [{ type: 'editor:no-edit', id: 1 }]]);
  touched = true;
  page();
  await settle();
  expect(told.slice(1, 3)).toMatchObject([{ type: 'editor:edit-text', id: 1, at: { x: 1, y: 1 } }, { type: 'editor:drag' }]);
  expect(asked).toMatchObject([{ kind: 'delete' }]);
});

test('a page that does not show the change is reloaded, when that is switched on', async () => {
  const reloads = async (reloadBackstop: boolean, stirs: boolean): Promise<boolean> => {
    const { editor, told } = bench({ ...inspects, '/api/editor/edit': () => done('src/App.tsx:3:4') });
    editor.store.setState({ session: { features: { reloadBackstop } } as never });
    selectTarget(editor, target('src/App.tsx:3:4'));
    await settle();
    await edit(editor, { kind: 'class', add: ['a'], remove: [] }, { title: 'Add a' });
    if (stirs) onPageMessage(editor, { type: 'editor:moved', target: target('src/App.tsx:3:4') });
    await settle(40);
    return told.some((message) => message.type === 'editor:go');
  };
  expect([await reloads(true, false), await reloads(false, false), await reloads(true, true)]).toEqual([true, false, false]);
});

test('an offer to undo goes as soon as it would undo another step', async () => {
  const { editor } = bench({ ...inspects, '/api/editor/edit': () => done('src/App.tsx:3:4') });
  const offers = (): string[] => editor.store.getState().toasts.flatMap(({ action }) => action ?? []);
  selectTarget(editor, target('src/App.tsx:3:4'));
  await settle();
  await remove.perform(editor);
  expect(offers()).toEqual(['undo']);
  selectTarget(editor, target('src/App.tsx:3:4'));
  await settle();
  await edit(editor, { kind: 'duplicate' }, { title: 'Duplicate' });
  expect(offers()).toEqual([]);
});

test('undo selects what was deleted, and redo nothing', async () => {
  const { editor } = bench({
    ...inspects,
    '/api/editor/edit': () => ({ ...done('src/App.tsx:3:4'), src: null }),
    '/api/editor/undo': () => done(''),
    '/api/editor/redo': () => done(''),
  });
  selectTarget(editor, target('src/App.tsx:3:4', { shared: 3, index: 1 }));
  await settle();
  await remove.perform(editor);
  expect(editor.store.getState().selection).toBeNull();
  await stepHistory(editor, 'undo');
  expect(editor.store.getState().selection?.subject).toEqual({ src: 'src/App.tsx:3:4', item: 1, within: null });
  await stepHistory(editor, 'redo');
  expect(editor.store.getState().selection).toBeNull();
});

test('what is worth knowing of an edit is said after it', async () => {
  const { editor } = bench({ ...inspects, '/api/editor/edit': () => ({ ...done('src/App.tsx:3:4'), notes: ['The import of Card is unused now.'] }) });
  selectTarget(editor, target('src/App.tsx:3:4'));
  await settle();
  await edit(editor, { kind: 'duplicate' }, { title: 'Duplicate' });
  expect(editor.store.getState().toasts).toMatchObject([{ title: 'Duplicate', words: 'The import of Card is unused now.' }]);
});

const leaf = (src: string, tag: string) => ({ src, tag, component: false, text: '', children: [] });
/** A file with a heading, a text and a button side by side. */
const file = (hash: string) => ({ ok: true, path: 'src/App.tsx', hash, nodes: [{ ...leaf('src/App.tsx:2:4', 'main'), children: [leaf('src/App.tsx:3:4', 'h1'), leaf('src/App.tsx:4:4', 'p'), leaf('src/App.tsx:5:4', 'button')] }] });

test('an element dragged in the page is moved in the source', async () => {
  const { editor, asked, told } = bench({ ...inspects, '/api/editor/tree': () => file('new'), '/api/editor/edit': () => done('src/App.tsx:4:4') });
  selectTarget(editor, target('src/App.tsx:3:4'));
  await settle();
  onPageMessage(editor, { type: 'editor:wants-drag', src: 'src/App.tsx:3:4' });
  const allowed = told.find((message) => message.type === 'editor:drag');
  onPageMessage(editor, { type: 'editor:drop', src: 'src/App.tsx:3:4', to: 'src/App.tsx:4:4', tag: 'p', place: 'after', edit: allowed?.edit ?? '' });
  await settle();
  expect(asked).toMatchObject([{ kind: 'move', src: 'src/App.tsx:3:4', to: 'src/App.tsx:4:4', place: 'after', sourceHash: 'new' }]);
  expect(editor.store.getState().selection?.subject.src).toBe('src/App.tsx:4:4');
});

test('a page that shows an older source than there is moves nothing', async () => {
  const { editor, asked } = bench({ ...inspects, '/api/editor/tree': () => file('new'), '/api/editor/edit': () => done('') });
  await moveTo(editor, { src: 'src/App.tsx:3:4', to: 'src/App.tsx:5:4', tag: 'p', place: 'after' });
  await moveTo(editor, { src: 'src/App.tsx:3:4', to: 'src/App.tsx:9:4', tag: 'p', place: 'after' });
  expect(asked).toEqual([]);
  expect(editor.store.getState().toasts[0]?.words).toContain('does not show the present source');
});

test('each of several moves in a row passes what stands there when its turn comes', async () => {
  const places = ['src/App.tsx:3:4', 'src/App.tsx:4:4'];
  const { editor, asked } = bench({ ...inspects, '/api/editor/tree': () => file('h'), '/api/editor/edit': () => done(places[asked.length] ?? '') });
  selectTarget(editor, target('src/App.tsx:3:4'));
  await settle();
  expect(hasSibling(editor.store.getState(), 'up')).toBe(false);
  await Promise.all([moveBy(editor, 'down'), moveBy(editor, 'down')]);
  expect(asked.map(({ src, to }) => [src, to])).toEqual([['src/App.tsx:3:4', 'src/App.tsx:4:4'], ['src/App.tsx:4:4', 'src/App.tsx:5:4']]);
});

test('commenting without a project shows the way to one', () => {
  const { editor } = bench({});
  editor.store.setState({ project: { is: 'ready', value: { linked: null, signedIn: false } } });
  enterMode(editor, 'comment');
  expect(editor.store.getState()).toMatchObject({ mode: 'select', rightTab: 'comments', toasts: [{ action: 'link-project' }] });
});

test('commenting on a linked project is a mode', () => {
  const { editor } = bench({});
  editor.store.setState({ project: { is: 'ready', value: { linked: { id: 'p', slug: 'p', name: 'P', viewerUrl: null, baseUrl: null }, signedIn: true } } });
  enterMode(editor, 'comment');
  expect(editor.store.getState().mode).toBe('comment');
});

test('an element that has nothing to pass says so', async () => {
  const { editor, asked } = bench({ ...inspects, '/api/editor/tree': () => file('h') });
  selectTarget(editor, target('src/App.tsx:3:4'));
  await moveBy(editor, 'up');
  expect(asked).toEqual([]);
  expect(editor.store.getState().toasts).toMatchObject([{ title: 'Move', words: 'It is the first of its siblings.' }]);
});

test('a reply says by their ids whom it mentions', async () => {
  const sent: unknown[] = [];
  const { editor } = bench({ '/api/project/comments/c1/replies': (body) => (sent.push(body), { ok: true }), '/api/project/comments': () => ({ ok: true, comments: [] }) });
  expect(await reply(editor, 'c1', 'Thanks @Ana', ['p_1'])).toBe(true);
  expect(sent).toEqual([{ body: 'Thanks @Ana', mentions: ['p_1'] }]);
});
