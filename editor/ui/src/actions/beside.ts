import { BREAKPOINTS } from '../model/breakpoints.ts';
import { showBeside } from '../model/panes.ts';
import { action } from './action.ts';

/** The second page begins as a phone: what one most often compares with. */
const BEGIN = BREAKPOINTS[0]?.width ?? 390;

export const beside = action({
  id: 'beside',
  label: 'Show a second page beside it',
  group: 'View',
  keys: ['5'],
  pressed: ({ sideWidth }) => sideWidth !== null,
  perform: (editor) => showBeside(editor, editor.store.getState().sideWidth === null ? BEGIN : null),
});
