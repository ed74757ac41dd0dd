import { edit } from '../model/edits.ts';
import { action } from './action.ts';
import { needs } from './needs.ts';

export const duplicate = action({
  id: 'duplicate',
  label: 'Duplicate',
  group: 'Edit',
  keys: ['Mod+D'],
  available: needs('duplicate'),
  perform: (editor) => edit(editor, { kind: 'duplicate' }, { title: 'Duplicate' }),
});
