/** How CodeMirror is set up here. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { vue } from '@codemirror/lang-vue';
import { bracketMatching, defaultHighlightStyle, foldGutter, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const DARK = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier], color: '#c792ea' },
  { tag: [tags.string, tags.special(tags.string)], color: '#a5d6a7' },
  { tag: [tags.number, tags.bool, tags.null], color: '#f2a772' },
  { tag: tags.comment, color: '#8b93a1', fontStyle: 'italic' },
  { tag: [tags.tagName, tags.angleBracket], color: '#7fb4ff' },
  { tag: [tags.attributeName, tags.propertyName], color: '#8fd3e8' },
  { tag: [tags.typeName, tags.className], color: '#f0c674' },
  { tag: tags.function(tags.variableName), color: '#9db8ff' },
]);

export function extensions(path: string, text: string, dark: boolean, save: () => boolean): Extension {
  return [
    lineNumbers(),
    foldGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    language(path),
    syntaxHighlighting(dark ? DARK : defaultHighlightStyle),
    // The file keeps the line ends it has.
    EditorState.lineSeparator.of(text.includes('\r\n') ? '\r\n' : '\n'),
    EditorView.theme({ '&.cm-focused': { outline: 'none' } }, { dark }),
    EditorView.theme({
      '&': { backgroundColor: 'var(--surface)', color: 'var(--ink)' },
      '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--ink-3)', border: 'none' },
      '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--field)' },
    }),
    EditorView.contentAttributes.of({ 'aria-label': path }),
    keymap.of([{ key: 'Mod-s', run: save, preventDefault: true }, indentWithTab, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
  ];
}

function language(path: string): Extension {
  if (/\.vue$/.test(path)) return vue();
  if (/\.(?:css|scss|less)$/.test(path)) return css();
  if (/\.json$/.test(path)) return json();
  if (/\.html?$/.test(path)) return html();
  if (/\.[cm]?[jt]sx?$/.test(path)) return javascript({ jsx: /x$/.test(path) || /js$/.test(path), typescript: /tsx?$/.test(path) });
  return [];
}

/** Puts the caret at the beginning of a line and the line in the middle. */
export function revealLine(view: EditorView, line: number): void {
  const { doc } = view.state;
  const { from } = doc.line(Math.max(1, Math.min(doc.lines, line)));
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
}
