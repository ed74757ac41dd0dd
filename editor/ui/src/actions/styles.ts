import { copyStyles as copy, pasteStyles as paste } from '../model/style_clipboard.ts';
import { action } from './action.ts';
import { needs, needsSelection } from './needs.ts';

export const copyStyles = action({
  id: 'copy-styles',
  label: 'Copy styles',
  group: 'Edit',
  keys: ['Shift+C'],
  available: needsSelection,
  perform: copy,
});

export const pasteStyles = action({
  id: 'paste-styles',
  label: 'Paste styles',
  group: 'Edit',
  keys: ['Shift+V'],
  available: (model) => (model.copiedStyles === null ? 'Copy the styles of an element first.' : needs('style')(model)),
  perform: paste,
});
