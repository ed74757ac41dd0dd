/** The Editor at work: starts what listens, and does what the program and the page tell. */
import { listen } from '../api/events.ts';
import type { FromPage, Pane } from '../api/page.ts';
import { pressed } from '../actions/keys.ts';
import { beforeShown } from '../model/before.ts';
import { commentPlaced, pinsPlaced, sendPins } from '../model/commenting.ts';
import { attemptTold } from '../model/attempts.ts';
import { canvasEdited, canvasTold, loadCanvas } from '../model/canvas.ts';
import { loadChats, tellFailure } from '../model/chats.ts';
import { answered } from '../model/conditions.ts';
import type { Editor } from '../model/editor.ts';
import { showRight } from '../model/model.ts';
import { leadWith, otherPane, setShown, strayed } from '../model/panes.ts';
import { aimAt, beginText } from '../model/aiming.ts';
import { edit } from '../model/edits.ts';
import { loadModels } from '../model/models.ts';
import { moveTo } from '../model/moving.ts';
import { loadBranches, loadComments, loadDiff, loadGit, loadHistory, loadProject, loadSession, refreshAfterEdit } from '../model/loading.ts';
import { askPage, pageRead } from '../model/reading.ts';
import { writePreferences } from '../model/preferences.ts';
import { speak, toast } from '../model/say.ts';
import { inspect, selectTarget, updateTarget } from '../model/selecting.ts';
import { toggleAlso } from '../model/several.ts';
import { aroundOf } from '../model/structure.ts';
import type { ServerEvent } from '../api/session.ts';
import { attachToShown } from './attaching.ts';

const LOG_LINES = 200;
const PAGE_ERRORS = 20;
/** How long a width stays the same before it counts, in milliseconds. */
const WIDTH_RESTS = 200;

/** Starts listening; gives a function that stops. */
export function start(editor: Editor): () => void {
  const { store, world } = editor;
  const stop = new AbortController();
  let before = false;
  void listen(
    world.send,
    {
      onEvent: (event) => onServerEvent(editor, event),
      onConnection: (is, seconds = 0) => {
        store.setState({ connection: { is, seconds } });
        if (is !== 'live') return;
        // What happened while nobody listened is unknown.
        refreshAll(editor);
        if (before) speak(editor, 'Connected again');
        before = true;
      },
    },
    stop.signal,
  );
  const forget = store.subscribe((now, old) => {
    writePreferences(world.storage, now);
    if (now.mode !== old.mode || now.freeze !== old.freeze) tellMode(editor);
    if (now.shown.width !== old.shown.width) void widthChanged(editor, now.shown.width);
    if (now.comments !== old.comments) sendPins(editor);
  });
  const detach = attachToShown(editor);
  return () => (stop.abort(), forget(), detach());
}

/** Which styles hold depends on the width: once it rests, the program is asked again. */
async function widthChanged(editor: Editor, width: number): Promise<void> {
  await editor.world.wait(WIDTH_RESTS);
  const { shown, inspection } = editor.store.getState();
  if (shown.width === width && inspection.is !== 'idle') void inspect(editor);
}

function refreshAll(editor: Editor): void {
  void loadSession(editor);
  void loadHistory(editor);
  void loadGit(editor);
  void loadBranches(editor);
  void loadProject(editor);
  void loadModels(editor);
  if (editor.store.getState().canvas) void loadCanvas(editor);
}

export function onServerEvent(editor: Editor, event: ServerEvent): void {
  const { store } = editor;
  switch (event.event) {
    case 'state':
      store.setState({ session: event.data, sessionRefused: null });
      return;
    case 'edited':
    case 'files': {
      const paths = event.event === 'edited' ? event.data.files.map(({ path }) => path) : event.data.paths;
      refreshAfterEdit(editor, paths);
      void canvasEdited(editor);
      const { inspection, busy } = store.getState();
      // An own edit asks again by itself.
      if (busy === 0 && inspection.is !== 'idle') void inspect(editor);
      return;
    }
    case 'host': {
      const { session } = store.getState();
      if (session) store.setState({ session: { ...session, host: { ...session.host, ...event.data } } });
      if (event.data.status === 'failed') speak(editor, 'The dev server stopped');
      return;
    }
    case 'log':
      store.setState(({ log }) => ({ log: [...log, event.data.line].slice(-LOG_LINES) }));
      return;
    case 'git':
      void loadGit(editor);
      void loadBranches(editor);
      if (store.getState().rightTab === 'changes') void loadDiff(editor);
      return;
    case 'comments':
      void loadComments(editor);
      return;
    case 'models':
      void loadModels(editor);
      return;
    case 'lane':
      attemptTold(editor, event.data);
      return;
    case 'read':
      askPage(editor, event.data);
      return;
    case 'canvas':
      void canvasTold(editor, event.data);
      return;
    case 'chat':
      void loadChats(editor);
      if (event.data.status === 'failed') void tellFailure(editor, event.data.session);
  }
}

/** What somebody does in a page makes its pane the one that is worked in. */
const DEEDS: readonly FromPage['type'][] = ['editor:selected', 'editor:added', 'editor:text', 'editor:wants-text', 'editor:placed', 'editor:drop', 'editor:menu'];

export function onPageMessage(editor: Editor, message: FromPage, pane: Pane = 'main'): void {
  const { store, page } = editor;
  if (pane !== store.getState().pane && DEEDS.includes(message.type)) leadWith(editor, pane);
  const leads = pane === store.getState().pane;
  switch (message.type) {
    case 'editor:ready': {
      editor.counters.pageChanges++;
      if (leads) store.setState({ showsBefore: null });
      setShown(editor, pane, () => ({ page: { ready: true, address: message.page, title: message.title, errors: [] }, structure: null }));
      tellMode(editor);
      sendPins(editor);
      if (!leads) return selectInOther(editor);
      followLead(editor);
      page.send({ type: 'editor:structure' });
      // Handles of the page before mean nothing in this one; the element is found again once it is rendered.
      store.setState(({ selection }) => ({ selection: selection === null ? null : { ...selection, target: null } }));
      return;
    }
    case 'editor:page':
      setShown(editor, pane, (shown) => ({ page: { ...shown.page, address: message.page, title: message.title } }));
      if (!leads) return;
      followLead(editor);
      page.send({ type: 'editor:structure' });
      return;
    case 'editor:marked':
      if (leads && store.getState().choosing !== null) store.setState({ marked: message.count });
      return;
    case 'editor:hovered':
      return;
    case 'editor:before':
      if (leads) beforeShown(editor, message.shown);
      return;
    case 'editor:selected': {
      const { selection } = store.getState();
      // The answer to a selection by stamp: nothing found on this page is not "nothing selected".
      if (message.target === null && selection !== null && selection.target === null) return;
      selectTarget(editor, message.target, message.under);
      selectInOther(editor);
      return;
    }
    case 'editor:added':
      if (message.target.src !== null) toggleAlso(editor, { src: message.target.src, index: message.target.index, tag: message.target.tag });
      return;
    case 'editor:moved':
      editor.counters.pageChanges++;
      if (leads) updateTarget(editor, message.target);
      return;
    case 'editor:structure':
      setShown(editor, pane, () => ({ structure: message.nodes }));
      if (leads) selectAgain(editor);
      return;
    case 'editor:text': {
      const begun = editor.begun.end('text', message.edit, message.src);
      if (begun === null) return;
      const { src, before } = message;
      const run = message.run === null ? {} : { run: message.run };
      const aim = { ...(begun.aimed?.aim ?? aimAt(editor, src)), before };
      void edit(editor, { kind: 'text', text: message.text, ...run }, { title: 'Edit text', src, aim });
      return;
    }
    case 'editor:text-cancelled':
      return;
    case 'editor:conditions':
      if (answered(store, message)) void inspect(editor);
      return;
    case 'editor:wants-text': {
      const { target, at } = message;
      if (isTouched(editor)) selectTarget(editor, target);
      const name = isTouched(editor) ? beginText(editor, target) : null;
      page.send(name === null ? { type: 'editor:no-edit', id: target.id } : { type: 'editor:edit-text', id: target.id, run: null, at, edit: name });
      return;
    }
    case 'editor:wants-drag': {
      // Only what is selected here is dragged there.
      const selected = store.getState().selection?.target?.src;
      if (isTouched(editor) && selected === message.src) page.send({ type: 'editor:drag', src: message.src, edit: editor.begun.begin('drag', message.src) });
      return;
    }
    case 'editor:no-text':
      selectTarget(editor, message.target);
      showRight(editor, 'inspect');
      toast(editor, { title: 'There is no text to edit in place here', words: 'The content section of the inspector says where its text comes from.' });
      return;
    case 'editor:placed':
      commentPlaced(editor, message.target, message.anchor);
      return;
    case 'editor:drop':
      if (editor.begun.end('drag', message.edit, message.src)) void moveTo(editor, message);
      return;
    case 'editor:pins':
      if (leads) pinsPlaced(editor, message.pins);
      return;
    case 'editor:read':
      void pageRead(editor, message.id, message.answer);
      return;
    case 'editor:pin':
      showRight(editor, 'comments');
      store.setState({ openComment: message.id });
      return;
    case 'editor:key':
      // Browsers do not take Escape for somebody's touch, and it changes nothing.
      if (message.key !== 'Escape' && !isTouched(editor)) return;
      pressed(editor, { key: message.key, metaKey: message.meta, ctrlKey: message.ctrl, shiftKey: message.shift, altKey: message.alt });
      return;
    case 'editor:menu':
      selectTarget(editor, message.target);
      store.setState({ menu: { x: message.x, y: message.y } });
      return;
    case 'editor:error':
      setShown(editor, pane, ({ page }) => ({ page: { ...page, errors: [...page.errors, message.message].slice(-PAGE_ERRORS) } }));
  }
}

/** Whether what the page tells of can be somebody's doing, and not a script's. */
function isTouched({ world }: Editor): boolean {
  return world.isTouched?.() ?? true;
}

/** The selection has no element of the page yet, and the page shows one of its stamp now. */
function selectAgain({ store, page }: Editor): void {
  const { selection, structure } = store.getState();
  if (!selection || selection.target !== null || structure === null) return;
  const { src, item } = selection.subject;
  if (aroundOf(structure, (node) => node.src === src)) page.send({ type: 'editor:select', src, index: item ?? 0 });
}

/** The other page shows the selection too, without answering. */
function selectInOther({ store, page }: Editor): void {
  const { selection, pane } = store.getState();
  const src = selection?.target?.src;
  page.send({ type: 'editor:select', quiet: true, ...(selection && src != null ? { src, index: selection.target?.index ?? 0 } : {}) }, otherPane(pane));
}

/** The other page goes where the one that is worked in went; where it leads from there is its own affair. */
function followLead({ store, page }: Editor): void {
  const model = store.getState();
  const to = strayed(model);
  if (to !== null) page.send({ type: 'editor:go', to }, otherPane(model.pane));
}

function tellMode({ store, page }: Editor): void {
  const { mode, freeze } = store.getState();
  page.send({ type: 'editor:mode', mode, freeze: freeze && mode !== 'use' });
}
