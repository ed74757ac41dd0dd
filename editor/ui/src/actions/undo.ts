import { known } from '../api/result.ts';
import { stepHistory } from '../model/stepping.ts';
import { action } from './action.ts';

export const undo = action({
  id: 'undo',
  label: 'Undo',
  group: 'Edit',
  keys: ['Mod+Z'],
  available: ({ history }) => known(history)?.canUndo === true || 'There is nothing to undo.',
  perform: (editor) => stepHistory(editor, 'undo'),
});
