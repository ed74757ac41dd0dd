/**
 * Moving an element in its file. Where it goes is looked up in the source as it is when the move's turn comes: stamps in the
 * page are those of the text before while hot reload is under way, and another element would be passed.
 */
import type { Edited, Place } from '../api/edit.ts';
import type { Outline, OutlineNode } from '../api/inspection.ts';
import { known, refusal } from '../api/result.ts';
import type { Aim } from './edit_queue.ts';
import { edit } from './edits.ts';
import type { Editor } from './editor.ts';
import { loadOutline } from './loading.ts';
import type { Model } from './model.ts';
import { fileOf } from './place.ts';
import { sayRefusal, toast } from './say.ts';
import { inspected, subjectOf } from './selecting.ts';
import { aroundOf } from './structure.ts';

export type Direction = 'up' | 'down';

/** What is said at the end of the siblings. */
export const NOWHERE = { up: 'It is the first of its siblings.', down: 'It is the last of its siblings.' };

const TITLE = 'Move';
const STALE = 'The page does not show the present source yet. Try again in a moment.';

/** The sibling that the element passes, or null at the end. What a file holds side by side at its top are components of their own. */
function passed(outline: Outline, src: string, direction: Direction): OutlineNode | null | undefined {
  const around = aroundOf(outline.nodes, (node) => node.src === src);
  if (!around) return undefined;
  if (around.parent === null) return null;
  return around.siblings[around.at + (direction === 'up' ? -1 : 1)] ?? null;
}

/** Whether the subject has a sibling to pass, as far as is known; undefined while its file is being read. */
export function hasSibling(model: Model, direction: Direction): boolean | undefined {
  const facts = inspected(model);
  const outline = facts === null ? null : known(model.outlines[facts.path] ?? { is: 'idle' });
  if (!model.selection || !outline || !facts) return undefined;
  const sibling = passed(outline, subjectOf(model.selection).src, direction);
  return sibling === undefined ? undefined : sibling !== null;
}

/** Passes the sibling before or behind. */
export function moveBy(editor: Editor, direction: Direction): Promise<Edited | null> {
  return edit(
    editor,
    async (aim) => {
      const outline = await read(editor, aim);
      if (!outline) return null;
      const sibling = passed(outline, aim.src, direction);
      if (!sibling) {
        toast(editor, { title: TITLE, words: sibling === null ? NOWHERE[direction] : STALE });
        return null;
      }
      return { kind: 'move', to: sibling.src, place: direction === 'up' ? 'before' : 'after' };
    },
    { title: TITLE },
  );
}

/** Goes beside or into the element that was pointed at, which the page calls `tag`. */
export function moveTo(editor: Editor, { src, to, tag, place }: { src: string; to: string; tag: string; place: Place }): Promise<Edited | null> {
  if (editor.store.getState().busy > 0) {
    sayRefusal(editor, `${TITLE}: not done`, refusal('busy', STALE));
    return Promise.resolve(null);
  }
  return edit(
    editor,
    async (aim) => {
      const outline = await read(editor, aim);
      if (!outline) return null;
      const target = aroundOf(outline.nodes, (node) => node.src === to);
      if (target !== null && target.node.tag.toLowerCase() === tag.toLowerCase()) return { kind: 'move', to, place };
      sayRefusal(editor, `${TITLE}: not done`, refusal('stale', STALE));
      return null;
    },
    { title: TITLE, src },
  );
}

/** The file as it is now; the edit is asked for with its hash. */
async function read(editor: Editor, aim: Aim): Promise<Outline | null> {
  const path = fileOf(aim.src);
  await loadOutline(editor, path);
  const outline = editor.store.getState().outlines[path];
  if (outline?.is === 'refused') sayRefusal(editor, `${TITLE}: not done`, outline.refusal);
  if (outline?.is !== 'ready') return null;
  if (outline.value.hash !== '') aim.hash = outline.value.hash;
  return outline.value;
}
