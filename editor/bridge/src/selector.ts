/** CSS selectors that find one element again: short where the page gives it a name, a path where it does not. */
import { frameDocument, parentOf, type Root } from './roots.ts';

/** Attributes that authors set for tests: they outlive changes of the layout. */
export const TEST_IDS = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa'];

/** Stands between the selectors of two documents. */
const BORDER = ' >>> ';

/** A longer name is content rather than a name. */
const LONGEST_NAME = 80;

/**
 * A selector that matches `element` and nothing else in its document, as the document is now. An own name is preferred
 * (an id, then a test id); otherwise it is the path from the nearest named ancestor, or from the root.
 */
export function selectorFor(element: Element): string {
  const path: string[] = [];
  for (let step: Element | null = element; step; step = step.parentElement) {
    const name = uniqueName(step);
    if (name !== undefined) return [name, ...path].join(' > ');
    path.unshift(place(step));
  }
  return path.join(' > ');
}

/** The same for an element in a shadow root or in a frame: one selector for each border, joined by ` >>> `. */
export function deepSelectorFor(element: Element): string {
  const steps: string[] = [];
  let step: Element | null = element;
  while (step) {
    steps.unshift(selectorFor(step));
    let top: Element = step;
    while (top.parentElement) top = top.parentElement;
    step = parentOf(top);
  }
  return steps.join(BORDER);
}

/** The element a selector of {@link deepSelectorFor} means, while the page still has it. */
export function findDeep(page: Document, selector: string): Element | undefined {
  let root: Root | undefined = page;
  let found: Element | undefined;
  for (const step of selector.split(BORDER)) {
    try {
      found = root?.querySelector(step) ?? undefined;
    } catch {
      // Selectors come from other programs too.
      return undefined;
    }
    root = found?.shadowRoot ?? (found && frameDocument(found));
  }
  return found;
}

/** A selector of the element's own name, when that name is its alone. */
function uniqueName(element: Element): string | undefined {
  const names: string[] = [];
  const id = element.getAttribute('id');
  if (id !== null && isLasting(id)) names.push(`#${CSS.escape(id)}`);
  for (const attribute of TEST_IDS) {
    const value = element.getAttribute(attribute);
    if (value !== null && isLasting(value)) names.push(`[${attribute}=${quote(value)}]`);
  }
  return names.find((name) => isUnique(element, name));
}

/** The element's place among its siblings. */
function place(element: Element): string {
  const name = CSS.escape(element.localName);
  const parent = element.parentNode as ParentNode | null;
  if (!parent || !element.parentElement && parent.nodeType === 9) return name;
  // The same name may stand in another namespace; `nth-of-type` counts those apart.
  const alike = [...parent.children].filter(
    (other) => other.localName === element.localName && other.namespaceURI === element.namespaceURI,
  );
  return alike.length > 1 ? `${name}:nth-of-type(${alike.indexOf(element) + 1})` : name;
}

/** Whether a name is likely to be the same after the next build: counters and hashes of frameworks are not. */
export function isLasting(name: string): boolean {
  return name !== '' && name.length <= LONGEST_NAME && !/[:«»]|^_|\d{3,}|[0-9a-f]{8,}/i.test(name);
}

function isUnique(element: Element, selector: string): boolean {
  const found = (element.getRootNode() as Root).querySelectorAll(selector);
  return found.length === 1 && found[0] === element;
}

/** A CSS string. */
function quote(value: string): string {
  const escaped = value.replace(/["\\]/g, '\\$&').replace(/[\n\r\f]/g, (c) => `\\${c.charCodeAt(0).toString(16)} `);
  return `"${escaped}"`;
}
