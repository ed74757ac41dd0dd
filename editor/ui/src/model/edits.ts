/** Doing an edit: one after the other, with the choices and refusals that come up. */
import { EditedSchema, type Edited, type EditRequest, type FileDiff, type Operation } from '../api/edit.ts';
import { known, refusal, type Choice, type Refusal, type Result } from '../api/result.ts';
import { messages } from '../messages.ts';
import { aimAt } from './aiming.ts';
import { offer } from './attempts.ts';
import { viewportOf } from './conditions.ts';
import type { Aim } from './edit_queue.ts';
import type { Editor } from './editor.ts';
import { dismissUndo, sayRefusal, speak, toast, whileBusy } from './say.ts';
import { inspect } from './selecting.ts';
import { keepBefore } from './before.ts';
import { keptAnswer } from './choices.ts';
import { follow } from './following.ts';
import type { Kept } from './model.ts';
import { parseDiff } from './diff.ts';
import { loadOutline } from './loading.ts';
import { fileOf, parsePlace } from './place.ts';
import { clearAlso, group, markAlso } from './several.ts';
import { aroundOf } from './structure.ts';

export interface EditOptions {
  /** In words, as "Set color". */
  title: string;
  /** Another element than the subject of the inspector. */
  src?: string;
  /** What it was meant for when it began, where that is longer ago: see {@link aimed}. */
  aim?: Aim;
  extra?: Partial<Pick<EditRequest, 'branch' | 'scope' | 'item' | 'usage' | 'at' | 'variant'>>;
}

/** More rounds than there are options would be a circle. */
const ROUNDS = 6;

/** What is done, or how it is found out when its turn comes; null when it cannot be, and that has been told. */
export type Asked = Operation | ((aim: Aim) => Promise<Operation | null>);

/**
 * Does an edit when those before it are done: each changes the places and the hash that the next one names.
 * Gives what was done, or null when it was refused or called off; the reason has been told.
 */
export function edit(editor: Editor, asked: Asked, options: EditOptions): Promise<Edited | null> {
  const aim = options.aim ?? aimAt(editor, options.src);
  const { alsoSelected, selection } = editor.store.getState();
  const alone = options.src !== undefined || alsoSelected.length === 0 || selection === null || selection.use !== null;
  return alone ? add(editor, asked, options, aim, {}) : editAll(editor, asked, options, aim);
}

/**
 * One edit for each selected element, taken back as one step. In each file the last comes first, so that none moves the next; each is
 * looked up in the source as it is when its turn comes.
 */
async function editAll(editor: Editor, asked: Asked, options: EditOptions, aim: Aim): Promise<Edited | null> {
  const { alsoSelected, selection } = editor.store.getState();
  const others = alsoSelected.map(({ src, index, tag }) => ({ aim: { src, item: index, hash: null, usage: null, before: null }, tag }));
  const all = [{ aim, tag: selection?.target?.tag ?? '' }, ...others];
  const members = all.filter((member, at) => all.findIndex((each) => each.aim.src === member.aim.src) === at);
  const answered: Answered = {};
  const done = await Promise.all(
    members.sort((one, other) => fromBelow(one.aim.src, other.aim.src)).map(async (member) => {
      const edited = await add(editor, asked, options, member.aim, answered, member.tag);
      return { edited, first: member.aim === aim };
    }),
  );
  group(editor, done.map(({ edited }) => edited?.editId ?? null));
  // Where lines came or went, the others stand elsewhere now.
  if (done.some(({ edited }) => edited?.files.some(movesLines))) clearAlso(editor);
  return done.find(({ first }) => first)?.edited ?? null;
}

function movesLines({ diff }: FileDiff): boolean {
  const { added, removed } = parseDiff(diff ?? '');
  return added !== removed;
}

function fromBelow(one: string, other: string): number {
  const [a, b] = [parsePlace(one), parsePlace(other)];
  if (!a || !b || a.path !== b.path) return one < other ? -1 : 1;
  return b.line - a.line || b.column - a.column;
}

/** What holds for all edits that were asked for at once. */
interface Answered {
  scope?: Kept;
  pageKept?: boolean;
}

/** With `tag` the element is looked up in the source first. */
function add(editor: Editor, asked: Asked, options: EditOptions, aim: Aim, answered: Answered, tag?: string): Promise<Edited | null> {
  const turn = async (): Promise<Edited | null> => (tag === undefined || (await stands(editor, aim, tag, options.title)) ? run(editor, asked, aim, options, answered) : null);
  return whileBusy(editor, editor.queue.add(aim, turn));
}

/** Whether the source still has such an element there; the edit then names the source it was seen in. */
async function stands(editor: Editor, aim: Aim, tag: string, title: string): Promise<boolean> {
  const path = fileOf(aim.src);
  await loadOutline(editor, path);
  const outline = known(editor.store.getState().outlines[path] ?? { is: 'idle' });
  const node = outline && aroundOf(outline.nodes, ({ src }) => src === aim.src)?.node;
  if (outline && node && (tag === '' || node.tag.toLowerCase() === tag.toLowerCase())) {
    aim.hash = outline.hash === '' ? null : outline.hash;
    return true;
  }
  sayRefusal(editor, `${title}: not done for <${tag}>`, refusal('stale', 'The page does not show the present source yet. Try again in a moment.'));
  return false;
}

async function run(editor: Editor, asked: Asked, aim: Aim, options: EditOptions, answered: Answered): Promise<Edited | null> {
  const operation = typeof asked === 'function' ? await asked(aim) : asked;
  if (operation === null) return null;
  let request: EditRequest = {
    ...operation,
    src: aim.src,
    ...(aim.hash === null ? {} : { sourceHash: aim.hash }),
    ...(aim.item === null ? {} : { item: aim.item }),
    ...(aim.usage === null ? {} : { usage: aim.usage }),
    ...(aim.before === null ? {} : { before: aim.before }),
    ...(operation.kind === 'style' ? viewportOf(editor.store.getState()) : {}),
    ...options.extra,
  };
  if (answered.pageKept !== true) keepBefore(editor);
  answered.pageKept = true;
  for (let round = 0; round < ROUNDS; round++) {
    editor.page.send({ type: 'editor:follow', src: request.src });
    const result: Result<Edited> = await editor.call(EditedSchema, '/api/editor/edit', { body: request });
    editor.page.send({ type: 'editor:follow', src: request.src, to: (result.ok ? result.value.src : null) ?? request.src });
    if (result.ok) {
      speak(editor, `${options.title}: done`);
      dismissUndo(editor);
      editor.queue.redirect(aim, result.value.src, request.kind);
      if (result.value.notes.length > 0) toast(editor, { title: options.title, words: result.value.notes.join('\n') });
      follow(editor, request, result.value);
      return result.value;
    }
    if (result.refusal.choices.length === 0) {
      if (!offer(editor, options.title, request, result.refusal)) sayRefusal(editor, messages.notDone(options.title), result.refusal);
      // What the inspector shows may be why it failed.
      if (['source-changed', 'no-element'].includes(result.refusal.code)) void inspect(editor);
      return null;
    }
    const said = answered.scope === undefined ? editor.store.getState().kept : { [request.kind]: answered.scope };
    const choice = keptAnswer({ kept: said }, request.kind, result.refusal) ?? (await ask(editor, request, options.title, result.refusal));
    if (choice === null) return null;
    if (choice.option === 'scope') answered.scope = choice.value === 'all' ? 'all' : 'item';
    request = { ...request, [choice.option]: choice.value } as EditRequest;
    // Somebody named the text: it need not be the one that the page shows.
    if (['at', 'branch', 'usage'].includes(choice.option)) delete request.before;
  }
  return null;
}

function ask(editor: Editor, request: EditRequest, title: string, refusal: Refusal): Promise<Choice | null> {
  const { store } = editor;
  return new Promise((resolve) => {
    const choose = (choice: Choice | null): void => {
      store.setState({ choosing: null, marked: null });
      markAlso(editor);
      resolve(choice);
    };
    store.setState({ choosing: { title, kind: request.kind, property: request.kind === 'style' ? request.property : null, refusal, choose } });
  });
}
