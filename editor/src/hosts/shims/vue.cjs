/**
 * What the plugin for Vue is corrected in. It tells pages to render a component anew without running its script when nothing but the
 * template changed, and compares with the version from before the last change of a template or a style for that, which need not be the
 * one that pages have: a script that was changed since and is changed back looks unchanged to it, and pages keep what the script made in
 * between (vitejs/vite-plugin-vue#837). With stamps the first change of a file is one of its template, so that each undo of a script
 * would run into it.
 */

/** How a compiled component says that its script need not run again. */
const RENDERS_ONLY = /^export const _rerender_only = [^\n;]*/m;

/** The scripts of a component; what only looks like one makes pages run a script once too often. */
const SCRIPTS = /<script\b[^>]*\/>|<script\b[\s\S]*?<\/script\s*>/g;

/** Knows which scripts changed since pages were given their component last. */
class ChangedScripts {
  /** By environment and file, the scripts as they were compiled last. */
  #compiled = new Map();
  /** Those that changed, until pages are told. */
  #changed = new Set();

  /** The text of a component that is about to be compiled. */
  note(environment, file, code) {
    const key = `${environment}\n${file}`;
    const scripts = code.match(SCRIPTS)?.join('\n') ?? '';
    const before = this.#compiled.get(key);
    if (before !== undefined && before !== scripts) this.#changed.add(key);
    this.#compiled.set(key, scripts);
  }

  /** A compiled component as pages are to get it, or `null` when it is right as it is. */
  corrected(environment, file, code) {
    if (!this.#changed.delete(`${environment}\n${file}`) || !RENDERS_ONLY.test(code)) return null;
    // Nothing moves to another line, so the source map holds.
    return { code: code.replace(RENDERS_ONLY, 'export const _rerender_only = false'), map: null };
  }
}

/** The tags of a module that the project tells Vue are custom elements: its file does not show them. */
function customElements(vue, code) {
  const isCustomElement = vue?.api?.options?.template?.compilerOptions?.isCustomElement;
  if (typeof isCustomElement !== 'function') return [];
  const tags = new Set(Array.from(code.matchAll(/<([a-z][^\s/>]*-[^\s/>]*)/g), ([, tag]) => tag));
  try {
    return [...tags].filter((tag) => isCustomElement(tag));
  } catch {
    return [];
  }
}

module.exports = { ChangedScripts, customElements };
