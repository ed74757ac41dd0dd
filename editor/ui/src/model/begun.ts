/**
 * Edits that come to their end in the page: a text that is typed there, an element that is dragged there. Scripts of the prototype
 * run beside the bridge and can say what it says. So the interface begins each such edit, only while somebody really uses the mouse
 * or the keyboard, and names it by a token; what the page brings back counts once, for that token and that element.
 */

interface Begun {
  edit: string;
  kind: 'text' | 'drag';
  src: string;
}

export class BegunEdit {
  #begun: Begun | null = null;

  /** Begins one, which ends any other. Gives its token. */
  begin(kind: Begun['kind'], src: string): string {
    const edit = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    this.#begun = { edit, kind, src };
    return edit;
  }

  /** Whether that edit was begun for that element and is not ended yet. It is ended now. */
  end(kind: Begun['kind'], edit: string, src: string): boolean {
    const begun = this.#begun;
    if (begun?.edit !== edit || begun.kind !== kind || begun.src !== src) return false;
    this.#begun = null;
    return true;
  }
}
