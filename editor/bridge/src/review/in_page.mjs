/**
 * What runs inside the page, for the corpus judge and for the Editor, in its own review browser and in the preview. `install` is handed to
 * Chromium as source text, so it refers to nothing outside itself. With `start`, the time (since 1970, in milliseconds) at which every load
 * of a page begins, the page's clock and its chance are the same in every load.
 *
 * A *reading* is every element with a stamp, in document order: its attributes, its own content and its computed style. The
 * content of a stamped element inside another belongs to the inner one alone, so that a change has one place.
 */
export function install(start) {
  const STAMP = 'data-desde-src';

  /** Where the used value depends on the layout, the computed one is asked for: a longer text makes no other element differ. */
  const DEPENDS =
    /^(?:width|height|inline-size|block-size|(?:min|max)-|top$|left$|right$|bottom$|inset|margin|padding|perspective-origin|transform|grid-template|translate|scale|rotate|line-height|offset|scroll-margin|scroll-padding|text-indent|background-position|flex-basis|row-gap|column-gap|border-.*-radius)/;

  /** What follows from the rest, or says nothing about what is seen. */
  const NEEDLESS = /^(?:animation|transition|-webkit-locale|will-change|app-region|perspective-origin|transform-origin|view-timeline|scroll-timeline)/;

  /** Where other tools note positions, which shift as ours do. */
  const POSITIONS = /^data-(?:v-inspector|insp-path|locatorjs|astro-source|source-loc)/;

  let properties;

  function below(root, visit) {
    for (const element of root.querySelectorAll('*')) {
      if (element.hasAttribute(STAMP)) visit(element);
      if (element.shadowRoot) below(element.shadowRoot, visit);
    }
  }

  function all() {
    const found = [];
    below(document, (element) => found.push(element));
    return found;
  }

  const sharing = (src) => all().filter((element) => element.getAttribute(STAMP) === src);

  const collapse = (text) => text.replace(/[ \t\n\r\f]+/g, ' ');

  /** Texts, `<tag` of elements without a stamp with what they hold, and `#` with the stamp of those that have one. */
  function content(element, into = []) {
    const text = (value) => {
      const last = into.at(-1);
      if (typeof last === 'string' && last.startsWith('"')) into[into.length - 1] = last + value;
      else into.push(`"${value}`);
    };
    for (const node of element.childNodes) {
      if (node.nodeType === 3) text(node.nodeValue);
      else if (node.nodeType === 1) {
        const src = node.getAttribute(STAMP);
        if (src !== null) into.push(`#${src}`);
        else if (node.localName !== 'style' && node.localName !== 'script') {
          into.push(`<${node.localName}`);
          content(node, into);
          into.push('>');
        }
      }
    }
    return into;
  }

  function tokens(element) {
    return content(element)
      .map((token) => (token.startsWith('"') ? `"${collapse(token.slice(1)).trim()}` : token))
      .filter((token) => token !== '"');
  }

  function style(element) {
    const computed = getComputedStyle(element);
    const map = element.computedStyleMap();
    properties ??= [...computed].filter((name) => !NEEDLESS.test(name)).map((name) => [name, DEPENDS.test(name)]);
    let text = '';
    for (const [name, depends] of properties) {
      const value = depends ? map.get(name) : computed.getPropertyValue(name);
      if (value !== undefined && value !== null && value !== '') text += `${name}:${value};`;
    }
    // Own properties of the design are inherited; those that the page's script sets change by themselves.
    return text;
  }

  function read() {
    const styles = [];
    const known = new Map();
    const elements = all().map((element) => {
      const attributes = {};
      for (const { name, value } of element.attributes) if (name !== STAMP && !POSITIONS.test(name)) attributes[name] = value;
      const text = style(element);
      if (!known.has(text)) known.set(text, styles.push(text) - 1);
      return { src: element.getAttribute(STAMP), tag: element.localName, attributes, content: tokens(element), style: known.get(text) };
    });
    return { elements, styles };
  }

  const ownTexts = (element) => [...element.childNodes].filter((node) => node.nodeType === 3);

  /** Does to the page what an edit asks for, gives what the page reads then, and takes it back: all before anything else runs. */
  const doing = {
    text: ({ index, from, to }, elements) => {
      const element = elements[index];
      const found = element ? ownTexts(element).filter((node) => collapse(node.nodeValue).includes(from)) : [];
      if (found.length !== 1 || collapse(found[0].nodeValue).split(from).length !== 2) return null;
      const [node] = found;
      const before = node.nodeValue;
      node.nodeValue = collapse(before).split(from).join(to);
      return () => (node.nodeValue = before);
    },
    attribute: ({ name, value }, elements) => {
      const before = elements.map((element) => element.getAttribute(name));
      elements.forEach((element) => (value === null ? element.removeAttribute(name) : element.setAttribute(name, value)));
      return () => elements.forEach((element, at) => (before[at] === null ? element.removeAttribute(name) : element.setAttribute(name, before[at])));
    },
    class: ({ add, remove }, elements) => {
      const before = elements.map((element) => element.getAttribute('class'));
      for (const element of elements) {
        element.classList.remove(...remove);
        element.classList.add(...add);
      }
      return () => elements.forEach((element, at) => (before[at] === null ? element.removeAttribute('class') : element.setAttribute('class', before[at])));
    },
    style: ({ property, value }, elements) => {
      const before = elements.map((element) => element.getAttribute('style'));
      elements.forEach((element) => element.style.setProperty(property, value, 'important'));
      return () => elements.forEach((element, at) => (before[at] === null ? element.removeAttribute('style') : element.setAttribute('style', before[at])));
    },
    delete: (_, elements) => {
      const undo = elements.map((element) => {
        const { parentNode, nextSibling } = element;
        return () => parentNode.insertBefore(element, nextSibling);
      });
      elements.forEach((element) => element.remove());
      return () => undo.reverse().forEach((step) => step());
    },
    duplicate: ({ bare }, elements) => {
      const copies = elements.map((element) => [element, element.cloneNode(true)]);
      if (bare) copies.forEach(([, copy]) => copy.removeAttribute('id'));
      copies.forEach(([element, copy]) => element.after(copy));
      return () => copies.forEach(([, copy]) => copy.remove());
    },
    insert: ({ place, tag, text, hidden = false }, elements) => {
      const put = { before: 'before', after: 'after', first: 'prepend', last: 'append' }[place];
      const made = elements.map((element) => {
        const one = document.createElement(tag);
        one.setAttribute(STAMP, 'new');
        one.setAttribute('title', text);
        one.toggleAttribute('hidden', hidden);
        one.textContent = text;
        element[put](one);
        return one;
      });
      return () => made.forEach((one) => one.remove());
    },
    move: (_, elements) => {
      const undo = [];
      for (const element of elements) {
        const next = element.nextElementSibling;
        const place = document.createComment('');
        element.before(place);
        next.after(element);
        undo.push(() => place.replaceWith(element));
      }
      return () => undo.reverse().forEach((step) => step());
    },
  };

  function simulate(src, what) {
    const elements = sharing(src);
    const undo = elements.length === 0 ? null : doing[what.kind](what, elements);
    if (!undo) return null;
    try {
      return read();
    } finally {
      undo();
    }
  }

  /** What has to be known of an element before an edit is asked for. */
  function facts(src, index) {
    const elements = sharing(src);
    const element = elements[index];
    if (!element) return null;
    const file = (stamp) => stamp.replace(/:\d+:\d+$/, '');
    let within = null;
    for (let step = element.parentElement; step && within === null; step = step.parentElement) {
      const stamp = step.getAttribute(STAMP);
      if (stamp !== null && file(stamp) !== file(src)) within = stamp;
    }
    const next = element.nextElementSibling?.getAttribute(STAMP) ?? null;
    return {
      count: elements.length,
      within,
      texts: ownTexts(element).map((node) => collapse(node.nodeValue)).filter((text) => text.trim() !== ''),
      classes: elements.map((each) => [...each.classList]),
      parent: element.parentElement?.localName ?? null,
      namespace: element.namespaceURI,
      // Taken out and put in again, these begin anew.
      fragile: elements.some((each) => each.matches('iframe,video,audio,object,embed') || each.querySelector('iframe,video,audio,object,embed')),
      // The same neighbour everywhere: then it is clear what moving behind it means.
      next: elements.every((each) => (each.nextElementSibling?.getAttribute(STAMP) ?? null) === next) && next !== src ? next : null,
      nextCount: next === null ? 0 : sharing(next).length,
    };
  }

  /** What is to be seen, each place of the source once: `{ src, sort }`, and whether it shows a text, is a part of a drawing, or a box. */
  function rendered() {
    const seen = new Map();
    below(document, (element) => {
      const { width, height } = element.getBoundingClientRect();
      if (width === 0 || height === 0 || getComputedStyle(element).visibility !== 'visible') return;
      const drawing = element.namespaceURI !== 'http://www.w3.org/1999/xhtml';
      const text = ownTexts(element).some((node) => node.nodeValue.trim() !== '');
      seen.set(element.getAttribute(STAMP), text ? 'text' : drawing ? 'drawing' : 'box');
    });
    return [...seen].map(([src, sort]) => ({ src, sort }));
  }

  /** Waits until nothing changed for `calm` milliseconds; false when that did not come within `patience`. */
  function quiet(calm, patience) {
    return new Promise((resolve) => {
      const end = (outcome) => {
        observer.disconnect();
        clearTimeout(rest);
        clearTimeout(limit);
        resolve(outcome);
      };
      let rest = setTimeout(end, calm, true);
      const limit = setTimeout(end, patience, false);
      const observer = new MutationObserver(() => {
        clearTimeout(rest);
        rest = setTimeout(end, calm, true);
      });
      observer.observe(document, { attributes: true, childList: true, characterData: true, subtree: true });
    });
  }

  function links() {
    return [...document.querySelectorAll('a[href]')]
      .filter((link) => !link.hasAttribute('download') && link.target !== '_blank')
      .map((link) => link.href);
  }

  /** For each of these conditions whether it holds, as far as a page can say it of itself. */
  function holds(conditions) {
    const answers = {};
    for (const text of conditions) {
      const [, name, condition] = /^@(\w+) (.*)$/.exec(text) ?? [];
      if (name === 'media') answers[text] = matchMedia(condition).matches;
      if (name === 'supports') answers[text] = CSS.supports(condition);
    }
    return answers;
  }

  /** What a dev server lays over a page that it could not make. */
  function overlay() {
    const vite = document.querySelector('vite-error-overlay');
    if (vite) return vite.shadowRoot?.querySelector('.message')?.textContent?.trim() || 'an error overlay';
    const next = document.querySelector('nextjs-portal')?.shadowRoot?.querySelector('[data-nextjs-dialog]');
    return next ? next.textContent.trim().slice(0, 300) : null;
  }

  if (start !== undefined) repeat();

  function repeat() {
    // “Three minutes ago” would be four minutes when the page is loaded again.
    const { Date: Real } = window;
    const late = Real.now() - start;
    const now = () => Real.now() - late;
    window.Date = new Proxy(Real, {
      construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
      apply: () => new Real(now()).toString(),
      get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
    });
    Real.prototype.constructor = window.Date;

    let seed = 1;
    // Random texts would make every reading differ.
    Math.random = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32;
    };
  }

  const stamps = () => all().map((element) => element.getAttribute(STAMP));

  window.galleyCorpus = { read, stamps, simulate, facts, rendered, quiet, links, holds, overlay };
}
