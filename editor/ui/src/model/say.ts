/** Telling people something: toasts, and words for assistive technology. */
import type { Refusal } from '../api/result.ts';
import type { Editor } from './editor.ts';
import type { Toast } from './model.ts';

const MOST = 4;

export function toast({ store, counters }: Editor, given: Partial<Toast> & { title: string }): void {
  const one: Toast = { tone: 'plain', words: '', action: null, ...given, id: ++counters.toasts };
  store.setState(({ toasts }) => ({ toasts: [...toasts.filter(({ title, words }) => title !== one.title || words !== one.words), one].slice(-MOST) }));
}

export function dismiss({ store }: Editor, id: number): void {
  store.setState(({ toasts }) => ({ toasts: toasts.filter((each) => each.id !== id) }));
}

/** Takes back the offers to undo: what they would undo is another step now. */
export function dismissUndo({ store }: Editor): void {
  store.setState(({ toasts }) => ({ toasts: toasts.filter(({ action }) => action !== 'undo') }));
}

/** A refusal as a message in words. What was called off by the interface itself is not worth a word. */
export function sayRefusal(editor: Editor, title: string, refusal: Refusal): void {
  if (refusal.code === 'aborted') return;
  toast(editor, { tone: 'bad', title, words: refusal.reason });
}

export function speak({ store }: Editor, words: string): void {
  // The same words twice would not be read out again.
  store.setState(({ spoken }) => ({ spoken: spoken === words ? `${words}\u00a0` : words }));
}

/** Shows that something is under way until it is done. */
export async function whileBusy<T>({ store }: Editor, work: Promise<T>): Promise<T> {
  store.setState(({ busy }) => ({ busy: busy + 1 }));
  try {
    return await work;
  } finally {
    store.setState(({ busy }) => ({ busy: busy - 1 }));
  }
}
