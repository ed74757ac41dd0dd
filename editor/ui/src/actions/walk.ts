/** Walking over the page's elements with the keyboard. */
import type { Model } from '../model/model.ts';
import { selectSource } from '../model/selecting.ts';
import { aroundOf, type Around } from '../model/structure.ts';
import type { PageNode } from '../api/page.ts';
import { action, type Action } from './action.ts';
import { needsSelection } from './needs.ts';

function here({ selection, structure }: Model): Around<PageNode> | null {
  const id = selection?.target?.id;
  if (!selection || !structure) return null;
  return aroundOf(structure, (node) => (id === undefined ? node.src === selection.subject.src : node.id === id));
}

function walk(id: string, label: string, keys: string[], to: (around: Around<PageNode>) => PageNode | null | undefined): Action {
  return action({
    id,
    label,
    group: 'Select',
    keys,
    available: needsSelection,
    perform: (editor) => {
      const around = here(editor.store.getState());
      const node = around ? to(around) : null;
      if (node) selectSource(editor, node.src, { id: node.id });
    },
  });
}

export const selectParent = walk('select-parent', 'Select the element around it', ['Shift+Enter', 'Alt+ArrowLeft'], ({ parent }) => parent);
export const selectChild = walk('select-child', 'Select the first element in it', ['Alt+ArrowRight'], ({ node }) => node.children[0]);
export const selectNext = walk('select-next', 'Select the next element', ['ArrowDown'], ({ siblings, at }) => siblings[at + 1]);
export const selectPrevious = walk('select-previous', 'Select the previous element', ['ArrowUp'], ({ siblings, at }) => siblings[at - 1]);
