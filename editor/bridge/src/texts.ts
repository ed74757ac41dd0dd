/** What is written in an element. */

/** How much of an element's text is told. */
const TEXT_LIMIT = 200;

/** Reads no further than needed: the pointer may rest on the body of a very long page. */
export function textOf(element: Element): string {
  const walker = element.ownerDocument.createTreeWalker(element, 4 /* SHOW_TEXT */);
  let text = '';
  while (text.length < TEXT_LIMIT && walker.nextNode()) {
    const node = walker.currentNode;
    if (/^(script|style)$/i.test(node.parentElement?.localName ?? '')) continue;
    text = `${text} ${node.nodeValue?.slice(0, 4 * TEXT_LIMIT) ?? ''}`.replace(/\s+/g, ' ').trimStart();
  }
  return text.slice(0, TEXT_LIMIT).trimEnd();
}
