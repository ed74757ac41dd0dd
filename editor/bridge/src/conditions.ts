/** Which conditions of stylesheets hold for an element: the browser itself decides. */

/** More conditions than a stylesheet has that somebody reads. */
const MAX_CONDITIONS = 256;

/** What a browser can decide by itself, without anything that ends the condition early. */
const READABLE = /^@(?:media|supports|container|scope)\b[^{};]+$/;

/**
 * For each condition, as `@media (prefers-color-scheme: dark)`, whether it holds for the element now; those that the browser does not
 * read are left out. A stylesheet that is there for this question only sets a property under each of them: that answers `@container`,
 * which nothing else does, just as `@media`. Nobody sees it, since nothing is painted meanwhile.
 */
export function holding(element: Element, conditions: readonly string[]): Record<string, boolean> {
  const view = element.ownerDocument.defaultView;
  const root = element.getRootNode();
  if (!view || !('adoptedStyleSheets' in root)) return {};
  const { CSSStyleSheet } = view as Window & typeof globalThis;
  const answers: Record<string, boolean> = {};
  const asked = [...new Set(conditions)].slice(0, MAX_CONDITIONS).filter((each) => each.length <= 1000 && READABLE.test(each));
  const home = root as Document | ShadowRoot;
  const before = [...home.adoptedStyleSheets];
  const sheet = new CSSStyleSheet();
  // Without the first rule an element would inherit the answer of one around it.
  sheet.insertRule(`* { ${asked.map((_, at) => `${name(at)}: 0`).join('; ')} }`);
  const read = asked.map((each, at) => {
    try {
      sheet.insertRule(`${each} { * { ${name(at)}: 1 } }`, sheet.cssRules.length);
      return true;
    } catch {
      return false;
    }
  });
  try {
    home.adoptedStyleSheets = [...before, sheet];
    const style = view.getComputedStyle(element);
    asked.forEach((each, at) => {
      if (read[at]) answers[each] = style.getPropertyValue(name(at)).trim() === '1';
    });
  } finally {
    home.adoptedStyleSheets = before;
  }
  return answers;
}

function name(at: number): string {
  return `--galley-condition-${at}`;
}
