/** Comments of the linked project, and their pins in the page. */
import type { Anchor } from '@kit/anchor.ts';
import type { PinState, PlacedPin, ReviewPin } from '@kit/review.ts';
import { DoneSchema } from '../api/git.ts';
import type { Target } from '../api/page.ts';
import type { Comment } from '../api/project.ts';
import { known } from '../api/result.ts';
import type { Editor } from './editor.ts';
import { showRight } from './model.ts';
import { loadComments } from './loading.ts';
import { pagePath } from '@kit/samePage.ts';
import { sayRefusal, speak } from './say.ts';

/** The pins of all pages: the bridge knows which one it is on, and finds the elements by what the comments keep of them. */
export function pinsOf(comments: Comment[]): ReviewPin[] {
  return comments
    .map(({ id, position: { anchorSelector: selector, anchor, page }, resolved }, index): ReviewPin => ({
      id,
      selector,
      anchor: (anchor as Anchor | null | undefined) ?? null,
      page,
      label: String(index + 1),
      title: resolved ? `Comment ${index + 1}, resolved` : `Comment ${index + 1}`,
      status: resolved ? 'resolved' : 'open',
    }))
    .filter(({ selector }) => selector !== '');
}

export function sendPins({ store, page }: Editor): void {
  page.send({ type: 'editor:pins', pins: pinsOf(known(store.getState().comments) ?? []) });
}

/** The page says where the pins are: what is worth a word of each comment. */
export function pinsPlaced({ store }: Editor, pins: readonly PlacedPin[]): void {
  const states = Object.fromEntries(pins.map(({ id, state }) => [id, state]));
  store.setState(({ pinStates }) => (JSON.stringify(states) === JSON.stringify(pinStates) ? {} : { pinStates: states }));
}

/** What is said of a pin beside its comment; nothing of one that is where it was, or on another page. */
export const PIN_NOTES: { [state in PinState]?: string } = {
  moved: 'Its element changed; this is most likely it.',
  detached: 'Its element is not on this page any more.',
  hidden: 'Its element is not visible now.',
};

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
