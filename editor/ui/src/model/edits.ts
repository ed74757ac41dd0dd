/** Doing an edit: one after the other, with the choices and refusals that come up. */
import { EditedSchema, type Edited, type EditRequest, type Operation } from '../wire/edit.ts';
import { known, type Choice, type Refusal, type Result } from '../wire/result.ts';
import type { Editor } from './editor.ts';
import { sayRefusal, speak } from './say.ts';
import { inspect, subjectOf } from './selecting.ts';
import { follow } from './following.ts';

/** An edit that waits for a choice. */
export interface Choosing {
  title: string;
  refusal: Refusal;
  /** Goes on with the choice; `null` calls the edit off. */
  choose(choice: Choice | null): void;
}

export interface EditOptions {
  /** In words, as "Set color". */
  title: string;
  /** Another element than the subject of the inspector. */
  src?: string;
  extra?: Partial<Pick<EditRequest, 'branch' | 'scope' | 'item' | 'usage' | 'at' | 'before'>>;
}

/** More rounds than there are options would be a circle. */
const ROUNDS = 6;

let line: Promise<unknown> = Promise.resolve();

/**
 * Does an edit when those before it are done: each changes the places and the hash that the next one names.
 * Gives what was done, or null when it was refused or called off; the reason has been told.
 */
export function edit(editor: Editor, operation: Operation, options: EditOptions): Promise<Edited | null> {
  const { store } = editor;
  store.setState(({ busy }) => ({ busy: busy + 1 }));
  const done = line.then(() => run(editor, operation, options)).finally(() => store.setState(({ busy }) => ({ busy: busy - 1 })));
  line = done.catch(() => undefined);
  return done;
}

async function run(editor: Editor, operation: Operation, options: EditOptions): Promise<Edited | null> {
  let request: EditRequest = { ...requestFor(editor, operation, options.src), ...options.extra };
  for (let round = 0; round < ROUNDS; round++) {
    const result: Result<Edited> = await editor.call(EditedSchema, '/api/editor/edit', { body: request });
    if (result.ok) {
      speak(editor, `${options.title}: done`);
      follow(editor, request, result.value);
      return result.value;
    }
    if (result.refusal.choices.length === 0) {
      sayRefusal(editor, `${options.title}: not done`, result.refusal);
      // What the inspector shows may be why it failed.
      if (result.refusal.code === 'source-changed') void inspect(editor);
      return null;
    }
    const choice = await ask(editor, options.title, result.refusal);
    if (choice === null) return null;
    request = { ...request, [choice.option]: choice.value } as EditRequest;
  }
  return null;
}

/** The operation, with everything the program needs to find its place. */
function requestFor(editor: Editor, operation: Operation, src: string | undefined): EditRequest {
  const { selection, inspection } = editor.store.getState();
  const subject = selection ? subjectOf(selection) : null;
  if (!subject || (src !== undefined && src !== subject.src)) return { ...operation, src: src ?? subject?.src ?? '' };
  const facts = inspection.is === 'ready' && inspection.value.src === subject.src ? inspection.value : null;
  const usages = known(inspection)?.usages ?? [];
  const likely = usages.filter((usage) => usage.likely);
  const usage = likely.length === 1 ? likely[0] : usages.length === 1 ? usages[0] : undefined;
  return {
    ...operation,
    src: subject.src,
    ...(facts ? { sourceHash: facts.hash } : {}),
    ...(subject.item === null ? {} : { item: subject.item }),
    ...(usage ? { usage: usage.src } : {}),
  };
}

function ask({ store }: Editor, title: string, refusal: Refusal): Promise<Choice | null> {
  return new Promise((resolve) => {
    const choose = (choice: Choice | null): void => {
      store.setState({ choosing: null });
      resolve(choice);
    };
    store.setState({ choosing: { title, refusal, choose } });
  });
}
