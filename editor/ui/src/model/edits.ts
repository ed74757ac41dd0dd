/** Doing an edit: one after the other, with the choices and refusals that come up. */
import { EditedSchema, type Edited, type EditRequest, type Operation } from '../api/edit.ts';
import { known, type Choice, type Refusal, type Result } from '../api/result.ts';
import type { Aim } from './edit_queue.ts';
import type { Editor } from './editor.ts';
import { dismissUndo, sayRefusal, speak, toast, whileBusy } from './say.ts';
import { inspect, subjectOf } from './selecting.ts';
import { keepBefore } from './before.ts';
import { keptAnswer } from './choices.ts';
import { follow } from './following.ts';

export interface EditOptions {
  /** In words, as "Set color". */
  title: string;
  /** Another element than the subject of the inspector. */
  src?: string;
  extra?: Partial<Pick<EditRequest, 'branch' | 'scope' | 'item' | 'usage' | 'at' | 'before' | 'variant'>>;
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
  const aim = aimAt(editor, options.src);
  return whileBusy(editor, editor.queue.add(aim, () => run(editor, asked, aim, options)));
}

async function run(editor: Editor, asked: Asked, aim: Aim, options: EditOptions): Promise<Edited | null> {
  const operation = typeof asked === 'function' ? await asked(aim) : asked;
  if (operation === null) return null;
  let request: EditRequest = {
    ...operation,
    src: aim.src,
    ...(aim.hash === null ? {} : { sourceHash: aim.hash }),
    ...(aim.item === null ? {} : { item: aim.item }),
    ...(aim.usage === null ? {} : { usage: aim.usage }),
    ...options.extra,
  };
  keepBefore(editor);
  for (let round = 0; round < ROUNDS; round++) {
    const result: Result<Edited> = await editor.call(EditedSchema, '/api/editor/edit', { body: request });
    if (result.ok) {
      speak(editor, `${options.title}: done`);
      dismissUndo(editor);
      editor.queue.redirect(aim, result.value.src);
      if (result.value.notes.length > 0) toast(editor, { title: options.title, words: result.value.notes.join('\n') });
      follow(editor, request, result.value);
      return result.value;
    }
    if (result.refusal.choices.length === 0) {
      sayRefusal(editor, `${options.title}: not done`, result.refusal);
      // What the inspector shows may be why it failed.
      if (result.refusal.code === 'source-changed') void inspect(editor);
      return null;
    }
    const choice = keptAnswer(editor.store.getState(), request.kind, result.refusal) ?? (await ask(editor, request, options.title, result.refusal));
    if (choice === null) return null;
    request = { ...request, [choice.option]: choice.value } as EditRequest;
  }
  return null;
}

/** The subject of the inspector with what is known of it, or another element, of which nothing is. */
function aimAt(editor: Editor, src: string | undefined): Aim {
  const { selection, inspection } = editor.store.getState();
  const subject = selection ? subjectOf(selection) : null;
  if (!subject || (src !== undefined && src !== subject.src)) return { src: src ?? subject?.src ?? '', item: null, hash: null, usage: null };
  const facts = inspection.is === 'ready' && inspection.value.src === subject.src ? inspection.value : null;
  const usages = known(inspection)?.usages ?? [];
  const likely = usages.filter((usage) => usage.likely);
  const usage = likely.length === 1 ? likely[0] : usages.length === 1 ? usages[0] : undefined;
  return { src: subject.src, item: subject.item, hash: facts?.hash ?? null, usage: usage?.src ?? null };
}

function ask({ store, page }: Editor, request: EditRequest, title: string, refusal: Refusal): Promise<Choice | null> {
  return new Promise((resolve) => {
    const choose = (choice: Choice | null): void => {
      store.setState({ choosing: null, marked: null });
      page.send({ type: 'editor:mark', places: [] });
      resolve(choice);
    };
    store.setState({ choosing: { title, kind: request.kind, property: request.kind === 'style' ? request.property : null, refusal, choose } });
  });
}
