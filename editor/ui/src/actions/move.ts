/** Before the previous sibling, after the next one: moving with the keyboard. */
import { hasSibling, moveBy, NOWHERE, type Direction } from '../model/moving.ts';
import { action, type Action } from './action.ts';
import { needs } from './needs.ts';

function move(direction: Direction): Action {
  return action({
    id: `move-${direction}`,
    label: direction === 'up' ? 'Move before the previous element' : 'Move behind the next element',
    group: 'Edit',
    keys: [direction === 'up' ? 'Alt+ArrowUp' : 'Alt+ArrowDown'],
    available: (model) => {
      const able = needs('move')(model);
      if (able !== true) return able;
      return hasSibling(model, direction) !== false || NOWHERE[direction];
    },
    perform: (editor) => moveBy(editor, direction),
  });
}

export const moveUp = move('up');
export const moveDown = move('down');
