/**
 * Edits that come to their end in the page: a text that is typed there, an element that is dragged there. Scripts of the prototype
 * run beside the bridge and can say what it says. So the interface begins each such edit, only while somebody really uses the mouse
 * or the keyboard, and names it by a token; what the page brings back counts once, for that token and that element.
 */
import type { Aimed } from './edit_queue.ts';

interface Begun {
  edit: string;
  kind: 'text' | 'drag';
  src: string;
  /** What the edit is meant for, where that is known from the beginning. */
  aimed: Aimed | null;
}

export class BegunEdit {
  #begun: Begun | null = null;

  /** Begins one, which ends any other. Gives its token. */
  begin(kind: Begun['kind'], src: string, aimed: Aimed | null = null): string {
    const edit = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    this.#begun?.aimed?.release();
    this.#begun = { edit, kind, src, aimed };
    return edit;
  }

  /** That edit, when it was begun for that element and is not ended yet; else null. It is ended now. */
  end(kind: Begun['kind'], edit: string, src: string): Begun | null {
    const begun = this.#begun;
    if (begun?.edit !== edit || begun.kind !== kind || begun.src !== src) return null;
    begun.aimed?.release();
    this.#begun = null;
    return begun;
  }
}
