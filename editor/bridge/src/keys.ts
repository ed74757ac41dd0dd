/** Which keys of the page are the interface's: it has its shortcuts in the frame too. */
import { isElement } from './roots.ts';

/** A key and what was held with it. */
export interface Pressed {
  key: string;
  meta: boolean;
  ctrl: boolean;
  shift: boolean;
  alt: boolean;
}

/** Who else a key may belong to. */
export interface Surroundings {
  /** The prototype is being used, not picked from. */
  inUse(): boolean;
  /** The bridge has used the key itself. */
  takes(event: KeyboardEvent): boolean;
  /** Whether keys that the prototype leaves are wanted by themselves too, without Ctrl or ⌘. */
  single?(): boolean;
  send(pressed: Pressed): void;
}

/** Listens to the keys of a page. */
export function forwardKeys(view: Pick<Window, 'addEventListener'>, { inUse, takes, single, send }: Surroundings): void {
  const tell = ({ key, metaKey: meta, ctrlKey: ctrl, shiftKey: shift, altKey: alt }: KeyboardEvent): void => send({ key, meta, ctrl, shift, alt });
  const picking = (event: KeyboardEvent): void => {
    if (takes(event) || inUse() || isForBrowser(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    tell(event);
  };
  // What the prototype leaves: in a field of it, undoing is the field's, and only what nobody types there is ours.
  const using = (event: KeyboardEvent): void => {
    if (!inUse() || event.defaultPrevented || isForBrowser(event)) return;
    const held = event.metaKey || event.ctrlKey;
    const isSingle = single?.() === true && !event.altKey && (event.key.length === 1 || event.key === 'Escape') && event.key !== ' ';
    if (!held && !isSingle) return;
    const [first] = event.composedPath();
    if (isElement(first) && isTyped(first) && !(held && /^[k,]$/i.test(event.key))) return;
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
