/** What an edit is meant for. */
import type { Target } from '../api/page.ts';
import { known } from '../api/result.ts';
import type { Aim, Aimed } from './edit_queue.ts';
import type { Editor } from './editor.ts';
import { itemOf, subjectOf } from './selecting.ts';

/**
 * The aim of an edit that begins now and ends later: by then another element may be selected, or stand at the same place. Edits that
 * are done meanwhile lead it along.
 */
export function aimed(editor: Editor, more: Partial<Pick<Aim, 'src' | 'item' | 'before'>> = {}): Aimed {
  const { store, queue } = editor;
  const aim: Aim = { ...aimAt(editor, more.src), ...more };
  const number = store.getState().selection?.number;
  const letGo = queue.hold(aim);
  // A double click selects as well: then the source is being read still.
  const read = store.subscribe(({ selection }) => {
    const now = aimAt(editor, aim.src);
    if (selection?.number !== number || aim.hash !== null) return read();
    if (now.hash === null) return;
    Object.assign(aim, { hash: now.hash, usage: now.usage });
  });
  return { aim, release: () => (letGo(), read()) };
}

/** Begins an edit of a text in the page, for this element of those that share its place. Gives its token, or null without a place. */
export function beginText(editor: Editor, target: Target): string | null {
  const { src } = target;
  return src === null ? null : editor.begun.begin('text', src, aimed(editor, { src, item: itemOf(target) }));
}

/** The subject of the inspector with what is known of it, or another element, of which nothing is. */
export function aimAt(editor: Editor, src?: string): Aim {
  const { selection, inspection } = editor.store.getState();
  const subject = selection ? subjectOf(selection) : null;
  if (!subject || (src !== undefined && src !== subject.src)) return { src: src ?? subject?.src ?? '', item: null, hash: null, usage: null, before: null };
  const facts = inspection.is === 'ready' && inspection.value.src === subject.src ? inspection.value : null;
  const usages = known(inspection)?.usages ?? [];
  const likely = usages.filter((usage) => usage.likely);
  const usage = likely.length === 1 ? likely[0] : usages.length === 1 ? usages[0] : undefined;
  return { src: subject.src, item: subject.item, hash: facts?.hash ?? null, usage: usage?.src ?? null, before: null };
}
