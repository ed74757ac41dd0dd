/** Comments of the linked project, and their pins in the page. */
import type { Anchor } from '@kit/anchor.ts';
import { DoneSchema } from '../api/git.ts';
import type { Pin, Target } from '../api/page.ts';
import type { Comment } from '../api/project.ts';
import { known } from '../api/result.ts';
import type { Editor } from './editor.ts';
import { showRight } from './model.ts';
import { loadComments } from './loading.ts';
import { pagePath, samePage } from '@kit/samePage.ts';
import { sayRefusal, speak } from './say.ts';

export function pinsOf(comments: Comment[], address: string): Pin[] {
  return comments
    .map((comment, index) => ({ comment, label: String(index + 1) }))
    .filter(({ comment }) => comment.position.anchorSelector !== '' && samePage(comment.position.page, address))
    .map(({ comment, label }) => ({ id: comment.id, selector: comment.position.anchorSelector, x: 1, y: 0, label, resolved: comment.resolved }));
}

export function sendPins({ store, page }: Editor): void {
  const { comments, page: shown } = store.getState();
  page.send({ type: 'editor:pins', pins: pinsOf(known(comments) ?? [], shown.address) });
}

/** A click in comment mode. */
export function commentPlaced(editor: Editor, target: Target, anchor: Anchor): void {
  const { page } = editor.store.getState();
  const label = target.text === '' ? target.tag : `${target.tag} “${target.text.slice(0, 40)}”`;
  editor.store.setState({
    placing: { selector: target.selector, anchor, page: pagePath(page.address), label },
    openComment: null,
  });
  showRight(editor, 'comments');
  speak(editor, `New comment on ${label}`);
}

/** Each gives whether it was done; a refusal has been told. */
export function addComment(editor: Editor, body: string, mentions: string[]): Promise<boolean> {
  const { placing } = editor.store.getState();
  if (!placing) return Promise.resolve(false);
  const position = { anchorSelector: placing.selector, anchor: placing.anchor, page: placing.page };
  return post(editor, '/api/project/comments', { body, position, mentions }, 'Comment');
}

export function reply(editor: Editor, id: string, body: string, mentions: string[]): Promise<boolean> {
  return post(editor, `/api/project/comments/${encodeURIComponent(id)}/replies`, { body, mentions }, 'Reply');
}

export function resolve(editor: Editor, id: string, resolved: boolean): Promise<boolean> {
  return post(editor, `/api/project/comments/${encodeURIComponent(id)}/resolve`, { resolved }, resolved ? 'Resolve' : 'Reopen');
}

async function post(editor: Editor, path: string, body: unknown, title: string): Promise<boolean> {
  const result = await editor.call(DoneSchema, path, { body });
  if (!result.ok) {
    sayRefusal(editor, `${title}: not done`, result.refusal);
    return false;
  }
  speak(editor, `${title}: done`);
  await loadComments(editor);
  return true;
}
