import type { Mode } from '../model/model.ts';
import { speak } from '../model/say.ts';
import { action, type Action } from './action.ts';

function mode(to: Mode, label: string, key: string, words: string): Action {
  return action({
    id: `mode-${to}`,
    label,
    group: 'Mode',
    keys: [key],
    pressed: (model) => model.mode === to,
    perform: (editor) => {
      editor.store.setState({ mode: to });
      speak(editor, words);
    },
  });
}

export const modeSelect = mode('select', 'Select', 'V', 'A click selects');
export const modeUse = mode('use', 'Use the prototype', 'U', 'A click works the prototype');
export const modeComment = mode('comment', 'Comment', 'C', 'A click places a comment');
