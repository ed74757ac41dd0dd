/** Which comments are shown, and in which order. */
import type { Comment } from '../../api/comments.ts';

export const FILTERS = ['open', 'resolved', 'mine', 'page', 'detached'] as const;
export type Filter = (typeof FILTERS)[number];

/** What the page knows of a comment's pin. `unknown`: the page it belongs to is not shown. */
export type PinState = 'exact' | 'moved' | 'selector' | 'hidden' | 'detached' | 'unknown';

export interface View {
  filter: Filter;
  query: string;
  /** The uid of whoever looks, e.g. `user:u1`; `null` for a guest who has written nothing. */
  me: string | null;
  /** My id in the directory of participants, when it is another one: mentions of me are mine, too. */
  participant: string | null;
  onThisPage: (comment: Comment) => boolean;
  stateOf: (comment: Comment) => PinState;
  /** The comment that is open stays in the list, also when it was just resolved. */
  keep: string | null;
}

/** Comments of a filter that have what is searched for, the newest first. */
export function shown<T extends Comment>(comments: readonly T[], view: View): T[] {
  const words = folded(view.query).split(/\s+/).filter((word) => word !== '');
  return comments.filter((comment) => (comment.id === view.keep || belongs(comment, view)) && has(comment, words)).sort(byNumberDown);
}

/** How many each filter holds, whatever is searched for. */
export function counts(comments: readonly Comment[], view: Omit<View, 'filter' | 'query' | 'keep'>): Record<Filter, number> {
  const count = (filter: Filter): number => comments.filter((comment) => belongs(comment, { ...view, filter, query: '', keep: null })).length;
  return { open: count('open'), resolved: count('resolved'), mine: count('mine'), page: count('page'), detached: count('detached') };
}

function belongs(comment: Comment, { filter, me, participant, onThisPage, stateOf }: View): boolean {
  switch (filter) {
    case 'open':
      return !comment.resolved;
    case 'resolved':
      return comment.resolved;
    case 'mine':
      return isMine(comment, me, participant);
    case 'page':
      return !comment.resolved && onThisPage(comment);
    case 'detached':
      return !comment.resolved && stateOf(comment) === 'detached';
  }
}

/** I wrote it, I answered, or somebody named me. */
export function isMine({ author, replies, mentions }: Comment, me: string | null, participant: string | null): boolean {
  const named = (list: readonly string[]): boolean => list.some((id) => id === me || id === participant);
  return author.uid === me || named(mentions) || replies.some((reply) => reply.author.uid === me || named(reply.mentions));
}

/** Every word stands somewhere: number, text, author, page, replies. `#12` is the comment with that number. */
function has(comment: Comment, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = folded(
    [`#${comment.number}`, comment.body, comment.author.displayName, comment.position.page, ...comment.replies.flatMap(({ body, author }) => [body, author.displayName])].join('\n'),
  );
  return words.every((word) => (/^#\d+$/.test(word) ? word === `#${comment.number}` : text.includes(word)));
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function byNumberDown(one: Comment, other: Comment): number {
  return other.number - one.number;
}
