/** Before and after: the page keeps its markup and styles before each edit, and shows them again. */
import { messages } from '../messages.ts';
import type { Editor } from './editor.ts';
import { speak, toast } from './say.ts';

export type Before = 'edit' | 'start';

/** Shows the page as it was, or as it is (null). The page answers whether it has something to show. */
export function showBefore({ store, page }: Editor, which: Before | null): void {
  store.setState({ showsBefore: which });
  // The canvas has pictures of before, and the page behind it stays as it is.
  if (store.getState().canvas) return;
  page.send({ type: 'editor:before', show: which });
}

/** Keeps the page as it is now, which the next edit makes the page of before. */
export function keepBefore(editor: Editor): void {
  if (editor.store.getState().showsBefore !== null) showBefore(editor, null);
  editor.page.send({ type: 'editor:keep' });
}

/** The page's answer. */
export function beforeShown(editor: Editor, shown: boolean): void {
  const { showsBefore } = editor.store.getState();
  if (showsBefore === null) return;
  if (shown) return speak(editor, messages.showsBefore(showsBefore));
  editor.store.setState({ showsBefore: null });
  toast(editor, { title: messages.nothingBefore, words: messages.nothingBeforeHelp });
}
