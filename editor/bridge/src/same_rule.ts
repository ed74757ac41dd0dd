/** Which elements the page styles together: those of the rule that decides a property of one of them. */
import { nearestStamped } from './stamps.ts';

/** Pseudo-elements are no elements. */
const NO_ELEMENT = /::|:(?:before|after|first-line|first-letter)/;

/** Elements of the prototype's source for which the last rule holds that holds for this one and declares the property. */
export function sameRule(element: Element, property: string): Element[] {
  let selector: string | undefined;
  const longhands = property.split('-');
  const declares = (style: CSSStyleDeclaration): boolean =>
    // A rule that declares the shorthand declares this one too: the browser has spelled it out.
    style.getPropertyValue(property) !== '' || (longhands.length > 1 && style.getPropertyValue(longhands[0] ?? '') !== '');
  const look = (rules: CSSRuleList, around: string): void => {
    for (const rule of rules) {
      if ('selectorText' in rule) {
        const own = (rule as CSSStyleRule).selectorText;
        const whole = around === '' ? own : own.includes('&') ? own.replaceAll('&', `:is(${around})`) : `:is(${around}) ${own}`;
        if (!NO_ELEMENT.test(whole) && matches(element, whole) && declares((rule as CSSStyleRule).style)) selector = whole;
        look((rule as CSSStyleRule).cssRules, whole);
      } else if ('cssRules' in rule && holds(rule, element)) {
        const inside = (rule as CSSGroupingRule).cssRules;
        look(inside, around);
      } else if (around !== '' && 'style' in rule && matches(element, around) && declares((rule as CSSStyleRule).style)) selector = around;
    }
  };
  const page = element.ownerDocument;
  for (const sheet of [...page.styleSheets, ...page.adoptedStyleSheets]) {
    try {
      look(sheet.cssRules, '');
    } catch {
      // A sheet of another origin is not ours to read.
    }
  }
  return selector === undefined ? [] : [...page.querySelectorAll(selector)].filter((each) => nearestStamped(each) === each);
}

function matches(element: Element, selector: string): boolean {
  try {
    return element.matches(selector);
  } catch {
    return false;
  }
}

/** Whether a condition around rules holds now, as far as it can be asked. */
function holds(rule: CSSRule, element: Element): boolean {
  const view = element.ownerDocument.defaultView;
  if ('media' in rule && view) return view.matchMedia((rule as CSSMediaRule).media.mediaText).matches;
  return true;
}
