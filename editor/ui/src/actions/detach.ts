import { edit } from '../model/edits.ts';
import { action } from './action.ts';
import { needs } from './needs.ts';

export const detach = action({
  id: 'detach',
  label: 'Detach component',
  group: 'Edit',
  available: needs('detach'),
  hidden: ({ session }) => session?.features.detach !== true,
  perform: (editor) => edit(editor, { kind: 'detach' }, { title: 'Detach component' }),
});
