/**
 * Editing a text where it stands. A span that inherits everything takes its place, so font, colour, size and the lines stay as they
 * are. The text node stays where it is, only empty: the prototype's framework holds on to it, and may change or remove it meanwhile.
 */

/** Which of an element's texts, and where the caret goes. */
export interface Place {
  /** Counts the element's own texts that are not only white space, from 0; null for the only one or the one at the caret. */
  run: number | null;
  /** The point that was clicked, in the element's own window. */
  at: { x: number; y: number } | undefined;
}

/** How it ended. */
export interface Outcome {
  text: string;
  before: string;
  run: number | null;
}

/** The element's own texts, without those that are only white space. */
export function textRuns(element: Element): Text[] {
  return [...element.childNodes].filter(
    (node): node is Text => node.nodeType === 3 && (node as Text).data.trim() !== '',
  );
}

/**
 * Begins editing. `done` is called once: with the outcome when the text was confirmed (Enter, the focus went elsewhere, or the
 * framework took the text away) and differs, without one otherwise. Gives a function that ends it, or undefined when there is no
 * text to edit.
 */
export function editText(element: Element, place: Place, done: (outcome: Outcome | undefined) => void): ((confirmed: boolean) => void) | undefined {
  const page = element.ownerDocument;
  const view = page.defaultView;
  const runs = textRuns(element);
  const index = place.run ?? runAt(page, runs, place.at) ?? 0;
  const node = runs[index];
  if (!view || !node) return undefined;
  const original = node.data;
  // White space around a text is the source's layout, not part of what people read.
  const [, lead, core, tail] = /^(\s*)(.*?)(\s*)$/s.exec(original) as unknown as [string, string, string, string];
  const offset = place.at ? caretOffset(page, node, place.at) : undefined;

  const field = page.createElement('span');
  field.textContent = core;
  field.setAttribute('contenteditable', 'plaintext-only');
  field.setAttribute('role', 'textbox');
  field.setAttribute('aria-label', 'Text');
  field.spellcheck = false;
  field.style.cssText =
    'all:unset;outline:2px solid #2f6fed;outline-offset:2px;cursor:text;user-select:text;-webkit-user-select:text;caret-color:auto';
  const end = page.createTextNode(tail);
  node.after(field, end);
  let shown = original;
  node.data = lead;

  let open = true;
  const close = (confirmed: boolean): void => {
    if (!open) return;
    open = false;
    watcher.disconnect();
    keep();
    const text = (field.textContent ?? '').replace(/\u00a0/g, core.includes('\u00a0') ? '\u00a0' : ' ').replace(/[\r\n]+/g, ' ');
    field.remove();
    end.remove();
    node.data = shown;
    done(confirmed && text !== core ? { text, before: core, run: runs.length > 1 ? index : null } : undefined);
  };
  // What the framework writes is shown once the field is gone.
  const keep = (): void => {
    if (node.data === lead) return;
    shown = node.data;
    node.data = lead;
  };
  const watcher = new (view as Window & typeof globalThis).MutationObserver(() => {
    if (field.isConnected && node.isConnected) keep();
    else close(true);
  });
  watcher.observe(element.getRootNode(), { subtree: true, childList: true, characterData: true });
  field.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === 'Escape') close(false);
    else if (event.key === 'Enter' || event.key === 'Tab') {
      event.preventDefault();
      // A text is one line: Shift+Enter asks for a second one.
      if (event.key === 'Tab' || !event.shiftKey) close(true);
    } else if (event.key === ' ' && element.closest('button, summary, a')) {
      // A button takes the space bar for a click.
      event.preventDefault();
      page.execCommand('insertText', false, ' ');
    }
  });
  for (const kind of ['keyup', 'keypress', 'input', 'beforeinput', 'click', 'pointerdown', 'mousedown']) {
    field.addEventListener(kind, (event) => event.stopPropagation());
  }
  field.addEventListener('paste', (event) => {
    event.preventDefault();
    page.execCommand('insertText', false, (event.clipboardData?.getData('text/plain') ?? '').replace(/\s+/g, ' '));
  });
  // Not at once: a framework that removes the field is in the midst of it.
  field.addEventListener('blur', () => queueMicrotask(() => close(true)));

  field.focus({ preventScroll: true });
  const selection = view.getSelection();
  const inside = field.firstChild;
  if (selection && inside) {
    const caret = offset === undefined ? undefined : Math.min(Math.max(0, offset - lead.length), core.length);
    if (caret === undefined) selection.selectAllChildren(field);
    else selection.collapse(inside, caret);
  }
  return close;
}

/** The run whose text lies at a point. */
function runAt(page: Document, runs: Text[], at: Place['at']): number | undefined {
  if (!at) return undefined;
  const found = runs.findIndex((run) => {
    const range = page.createRange();
    range.selectNodeContents(run);
    return [...range.getClientRects()].some(
      (box) => at.x >= box.left - 1 && at.x <= box.right + 1 && at.y >= box.top && at.y <= box.bottom,
    );
  });
  return found < 0 ? undefined : found;
}

/** Where in `node` a point falls; undefined when it falls elsewhere. */
function caretOffset(page: Document, node: Text, at: { x: number; y: number }): number | undefined {
  const standard = (page as { caretPositionFromPoint?: (x: number, y: number) => CaretPosition | null }).caretPositionFromPoint;
  const position = standard?.call(page, at.x, at.y);
  if (position) return position.offsetNode === node ? position.offset : undefined;
  const range = (page as { caretRangeFromPoint?: (x: number, y: number) => Range | null }).caretRangeFromPoint?.(at.x, at.y);
  return range?.startContainer === node ? range.startOffset : undefined;
}
