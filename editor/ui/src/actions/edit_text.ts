import { beginText } from '../model/aiming.ts';
import { action } from './action.ts';
import { inspected } from '../model/selecting.ts';
import { needs } from './needs.ts';

export const editText = action({
  id: 'edit-text',
  label: 'Edit text in the page',
  group: 'Edit',
  keys: ['Enter'],
  available: (model) => {
    if (!model.selection?.target) return 'Select an element of the page first.';
    const able = needs('text')(model);
    const isEmpty = inspected(model)?.text.length === 0;
    return able === true && isEmpty && model.selection.use === null ? 'It has no text yet: write one in the inspector, under Content.' : able;
  },
  perform: (editor) => {
    const target = editor.store.getState().selection?.target ?? null;
    const edit = target && beginText(editor, target);
    if (target && edit !== null) editor.page.send({ type: 'editor:edit-text', id: target.id, run: null, at: null, edit });
  },
});
