import { known } from '../api/result.ts';
import { stepHistory } from '../model/stepping.ts';
import { action } from './action.ts';

export const redo = action({
  id: 'redo',
  label: 'Redo',
  group: 'Edit',
  keys: ['Mod+Shift+Z', 'Mod+Y'],
  available: ({ history }) => known(history)?.canRedo === true || 'There is nothing to redo.',
  perform: (editor) => stepHistory(editor, 'redo'),
});
