/** Edits wait for each other: each changes the places and the hash that the next one names. */
import type { Operation } from '../api/edit.ts';

/** What an edit is meant for, as it was when somebody asked for it: the selection may be another one when its turn comes. */
export interface Aim {
  src: string;
  item: number | null;
  hash: string | null;
  usage: string | null;
  /** The text that was shown; null where nothing is typed over one. */
  before: string | null;
}

/** The aim of an edit that somebody is typing. */
export interface Aimed {
  aim: Aim;
  /** The edit is on its way, or is none. */
  release(): void;
}

/** The edits of one editor, in the order they were asked for. */
export class EditQueue {
  #last: Promise<unknown> = Promise.resolve();
  readonly #waiting = new Set<Aim>();
  readonly #held = new Set<Aim>();

  /** Runs an edit when those before it are done, whatever became of them. */
  add<T>(aim: Aim, run: () => Promise<T>): Promise<T> {
    this.#waiting.add(aim);
    const done = this.#last.then(run).finally(() => this.#waiting.delete(aim));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Leads an edit that is still being typed, too, until the function it gives is called. */
  hold(aim: Aim): () => void {
    this.#held.add(aim);
    return () => void this.#held.delete(aim);
  }

  /** Leads the edits that wait to where the element stands now. The hash they were asked for with is of the text before. */
  redirect(done: Aim, src: string | null, kind: Operation['kind']): void {
    for (const aim of new Set([...this.#waiting, ...this.#held])) {
      if (aim === done || src === null || aim.src !== done.src) continue;
      aim.src = src;
      aim.hash = null;
      if (kind === 'text') aim.before = null;
    }
  }
}
