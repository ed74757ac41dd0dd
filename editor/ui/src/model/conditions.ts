/** The page as the program has to know it: its width, and which conditions of stylesheets hold in it. */
import type { Inspection } from '../api/inspection.ts';
import type { FromPage } from '../api/page.ts';
import type { Editor } from './editor.ts';
import type { Model } from './model.ts';

export interface Viewport {
  width?: number;
  holds?: Record<string, boolean>;
}

/** What is known of the page that shows the selected element. */
export function viewportOf(model: Model): Viewport {
  const { width } = model.shown;
  const holds = said(model);
  return { ...(width > 0 ? { width } : {}), ...(holds && Object.keys(holds).length > 0 ? { holds } : {}) };
}

/** The same as a query. */
export function viewportQuery(model: Model): Record<string, string | number> {
  const { width, holds } = viewportOf(model);
  return { ...(width === undefined ? {} : { width }), ...(holds === undefined ? {} : { holds: JSON.stringify(holds) }) };
}

/** Asks the page about conditions that the program could not decide; once for each selection and width. */
export function askPage({ store, page }: Pick<Editor, 'store' | 'page'>, { styles }: Inspection): void {
  const model = store.getState();
  const target = model.selection?.target;
  if (!target || said(model) !== null) return;
  const conditions = styles.flatMap((style) => style.conditions).filter(({ holds, ask }) => holds === null && ask);
  const texts = [...new Set(conditions.map(({ text }) => text))];
  if (texts.length > 0) page.send({ type: 'editor:conditions', id: target.id, conditions: texts });
}

/** Keeps what the page answered. Gives whether that is news about the selected element. */
export function answered(store: Editor['store'], { id, holds }: Extract<FromPage, { type: 'editor:conditions' }>): boolean {
  const model = store.getState();
  const { selection, shown } = model;
  if (selection?.target?.id !== id || said(model) !== null) return false;
  store.setState({ conditions: { selection: selection.number, width: shown.width, holds } });
  return Object.keys(holds).length > 0;
}

/** What the page said of the selected element at this width; null while it was not asked. */
function said({ conditions, selection, shown }: Model): Record<string, boolean> | null {
  return conditions !== null && conditions.selection === selection?.number && conditions.width === shown.width ? conditions.holds : null;
}
