import { enterMode, MODES } from '../model/modes.ts';
import type { Mode } from '../model/model.ts';
import { action, type Action } from './action.ts';

function mode(to: Mode, label: string, key: string): Action {
  return action({
    id: `mode-${to}`,
    label,
    group: 'Mode',
    keys: [key],
    pressed: (model) => model.mode === to,
    perform: (editor) => enterMode(editor, to),
  });
}

export const modeSelect = mode('select', MODES.select.label, 'V');
export const modeUse = mode('use', MODES.use.label, 'U');
export const modeComment = mode('comment', MODES.comment.label, 'C');
