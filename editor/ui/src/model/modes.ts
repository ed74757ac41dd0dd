/** What a click in the page does. */
import { known } from '../api/result.ts';
import type { Editor } from './editor.ts';
import { showRight, type Mode } from './model.ts';
import { speak, toast } from './say.ts';

export const MODES: Record<Mode, { label: string; short: string; means: string }> = {
  select: { label: 'Select', short: 'Select', means: 'A click selects' },
  use: { label: 'Use the prototype', short: 'Use', means: 'A click works the prototype' },
  comment: { label: 'Comment', short: 'Comment', means: 'A click places a comment' },
};

/** Comments need a project to belong to: without one, the way to it is shown instead. */
export function enterMode(editor: Editor, mode: Mode): void {
  const { store } = editor;
  if (mode === 'comment' && known(store.getState().project)?.linked === null) {
    showRight(editor, 'comments');
    toast(editor, { title: 'Comments belong to a project', words: 'Link this prototype to its project on your review server first.', action: 'link-project' });
    return;
  }
  store.setState({ mode });
  speak(editor, MODES[mode].means);
}
