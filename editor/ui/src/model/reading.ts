/** Letting the page in the preview read for the program, which looks at it after a change of a model. */
import { pagePath } from '@kit/samePage.ts';
import { MAX_ANSWER, TakenSchema, type ReadEvent } from '../api/reading.ts';
import type { Editor } from './editor.ts';

/** Readers that are remembered; the program forgets older ones itself. */
const MAX_READERS = 8;

/** Asks the page that is worked in, when it is the one that is meant, else says that it is not. Later questions go to the page that was asked first. */
export function askPage(editor: Editor, { id, ticket, page: path, ask }: ReadEvent): void {
  const { store, page, readers } = editor;
  const { attempts, pane: lead, page: shown } = store.getState();
  if (ask.do === 'begin') {
    const isOurs = ticket === null ? pagePath(shown.address) === path : attempts.some((each) => each.id === ticket && each.state.is === 'running');
    if (isOurs && shown.ready) readers.set(ask.reader, lead);
    for (const known of readers.keys()) if (readers.size > MAX_READERS) readers.delete(known);
  }
  const pane = readers.get(ask.reader);
  if (pane === undefined) return void pageRead(editor, id, null);
  if (ask.do === 'end') readers.delete(ask.reader);
  page.send({ type: 'editor:read', id, ask }, pane);
}

/** Hands on what a page says: a claim of the page, which the program reads as one. Nobody waits for an answer without a name. */
export async function pageRead({ call }: Editor, id: string, answer: unknown): Promise<void> {
  if (id === '') return;
  const isSmall = JSON.stringify(answer ?? null).length <= MAX_ANSWER;
  await call(TakenSchema, '/api/editor/reading', { body: { id, answer: isSmall ? answer : null } });
}
