/** The page as it was: a tap switches, and while the key is held it is shown. */
import { showBefore } from '../model/before.ts';
import { action, type Action } from './action.ts';
import type { Model } from '../model/model.ts';
import { needsPage } from './needs.ts';

function before(id: string, label: string, key: string, which: 'edit' | 'start'): Action {
  return action({
    id,
    label,
    group: 'View',
    keys: [key],
    available: (model) => (model.canvas ? needsPlan(model) : needsPage(model)),
    pressed: ({ showsBefore }) => showsBefore === which,
    perform: (editor) => showBefore(editor, editor.store.getState().showsBefore === which ? null : which),
  });
}

function needsPlan({ plan }: Model): true | string {
  return plan !== null || 'Show a plan first: it has pictures of before.';
}

export const beforeEdit = before('before-edit', 'Show the page before the last edit (hold the key)', 'B', 'edit');
export const beforeStart = before('before-start', 'Show the page before the first edit (hold the key)', 'Shift+B', 'start');
