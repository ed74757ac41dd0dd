/** Which keys of the page are the interface's: it has its shortcuts in the frame too. */
import type { FromPage } from './editor_messages.ts';
import { isElement } from './roots.ts';

/** Who else a key may belong to. */
export interface Surroundings {
  /** The prototype is being used, not picked from. */
  inUse(): boolean;
  /** The bridge has used the key itself. */
  takes(event: KeyboardEvent): boolean;
  send(message: Extract<FromPage, { type: 'editor:key' }>): void;
}

/** Listens to the keys of a page. */
export function forwardKeys(view: Pick<Window, 'addEventListener'>, { inUse, takes, send }: Surroundings): void {
  const tell = ({ key, metaKey: meta, ctrlKey: ctrl, shiftKey: shift, altKey: alt }: KeyboardEvent): void => send({ type: 'editor:key', key, meta, ctrl, shift, alt });
  const picking = (event: KeyboardEvent): void => {
    if (takes(event) || inUse() || isForBrowser(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    tell(event);
  };
  // What the prototype leaves: in a field of it, undoing is the field's, and only what nobody types there is ours.
  const using = (event: KeyboardEvent): void => {
    if (!inUse() || event.defaultPrevented || !(event.metaKey || event.ctrlKey) || isForBrowser(event)) return;
    const [first] = event.composedPath();
    if (isElement(first) && isTyped(first) && !/^[k,]$/i.test(event.key)) return;
    tell(event);
  };
  view.addEventListener('keydown', picking, { capture: true });
  view.addEventListener('keydown', using);
}

/** Moving the focus, and the browser's own shortcuts: reload, tabs, windows, address, tools. */
function isForBrowser({ key, metaKey, ctrlKey, shiftKey }: KeyboardEvent): boolean {
  if (key === 'Tab' || /^F\d+$/.test(key)) return true;
  return (metaKey || ctrlKey) && (/^[twnl]$/i.test(key) || (/^r$/i.test(key) && !shiftKey));
}

/** Whether keys mean characters there. */
function isTyped(element: Element): boolean {
  return ['input', 'textarea', 'select'].includes(element.localName) || (element as HTMLElement).isContentEditable;
}
