import { action } from './action.ts';
import { needs } from './needs.ts';

export const editText = action({
  id: 'edit-text',
  label: 'Edit text in the page',
  group: 'Edit',
  keys: ['Enter'],
  available: (model) => {
    if (!model.selection?.target) return 'Select an element of the page first.';
    return needs('text')(model);
  },
  perform: ({ store, page, begun }) => {
    const target = store.getState().selection?.target;
    if (target?.src) page.send({ type: 'editor:edit-text', id: target.id, run: null, at: null, edit: begun.begin('text', target.src) });
  },
});
