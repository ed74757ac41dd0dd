/** Before the previous sibling, after the next one: moving with the keyboard. */
import { edit } from '../model/edits.ts';
import type { Model } from '../model/model.ts';
import { subjectOf } from '../model/selecting.ts';
import { aroundOf } from '../model/structure.ts';
import { fileOf } from '../model/place.ts';
import { action, type Action } from './action.ts';
import { needs } from './needs.ts';

const NOWHERE = { up: 'It is the first of its siblings.', down: 'It is the last of its siblings.' };

/** The stamp of the sibling to pass; the same stamp again is the same place in the source, so those are skipped. */
function neighbour(model: Model, direction: 'up' | 'down'): string | null {
  const { selection, structure } = model;
  if (!selection || !structure) return null;
  const { src } = subjectOf(selection);
  const id = selection.target?.id;
  const around = aroundOf(structure, (node) => (id === undefined ? node.src === src : node.id === id));
  if (!around) return null;
  const beside = direction === 'up' ? around.siblings.slice(0, around.at).reverse() : around.siblings.slice(around.at + 1);
  return beside.find((node) => node.src !== src && fileOf(node.src) === fileOf(src))?.src ?? null;
}

function move(direction: 'up' | 'down'): Action {
  return action({
    id: `move-${direction}`,
    label: direction === 'up' ? 'Move before the previous element' : 'Move behind the next element',
    group: 'Edit',
    keys: [direction === 'up' ? 'Alt+ArrowUp' : 'Alt+ArrowDown'],
    available: (model) => {
      const able = needs('move')(model);
      if (able !== true) return able;
      return neighbour(model, direction) !== null || NOWHERE[direction];
    },
    perform: async (editor) => {
      const to = neighbour(editor.store.getState(), direction);
      if (to !== null) await edit(editor, { kind: 'move', to, place: direction === 'up' ? 'before' : 'after' }, { title: 'Move' });
    },
  });
}

export const moveUp = move('up');
export const moveDown = move('down');
