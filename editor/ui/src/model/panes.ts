/** One page, or two side by side: the pane that was clicked in last leads, the other one goes along. */
import type { Pane } from '../api/page.ts';
import type { Editor } from './editor.ts';
import { nothingShown, type Model, type Shown } from './model.ts';

export function otherPane(pane: Pane): Pane {
  return pane === 'main' ? 'side' : 'main';
}

/** Changes what is known of a pane. */
export function setShown({ store }: Editor, pane: Pane, change: (shown: Shown) => Partial<Shown>): void {
  store.setState((model) => (pane === model.pane ? change(model) : { beside: { ...model.beside, ...change(model.beside) } }));
}

/** Makes a pane the one that is worked in. Handles of elements are of another page then. */
export function leadWith({ store, page }: Editor, pane: Pane): void {
  if (store.getState().pane === pane) return;
  page.lead = pane;
  store.setState((model) => {
    const { page, structure, shown, selection, beside } = model;
    return { pane, ...beside, beside: { page, structure, shown }, selection: selection && { ...selection, target: null }, alsoSelected: [] };
  });
  page.send({ type: 'editor:structure' });
}

/** Shows a second page, or no longer. */
export function showBeside(editor: Editor, width: number | null): void {
  const { store } = editor;
  if (width === null) leadWith(editor, 'main');
  store.setState({ sideWidth: width, ...(width === null ? { beside: nothingShown() } : {}) });
}

/** Where the other pane should go: it follows the one that is worked in. */
export function strayed({ page, beside, sideWidth }: Model): string | null {
  if (sideWidth === null || !page.ready || !beside.page.ready || page.address === beside.page.address) return null;
  return page.address;
}
