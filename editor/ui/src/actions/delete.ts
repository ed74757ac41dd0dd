import { edit } from '../model/edits.ts';
import { clearSelection } from '../model/selecting.ts';
import { toast } from '../model/say.ts';
import { action } from './action.ts';
import { needs } from './needs.ts';

export const remove = action({
  id: 'delete',
  label: 'Delete',
  group: 'Edit',
  keys: ['Delete', 'Backspace'],
  available: needs('delete'),
  perform: async (editor) => {
    const done = await edit(editor, { kind: 'delete' }, { title: 'Delete' });
    if (!done) return;
    clearSelection(editor);
    toast(editor, { title: 'Deleted', action: 'undo' });
  },
});
