/** The comments people see: those of the server, and what is on its way there. */
import type { Author, Comment, Reply } from '../../api/comments.ts';
import type { Entry } from './outbox.ts';

export interface ShownReply extends Reply {
  /** Not at the server yet. */
  pending: Entry | null;
}

export interface ShownComment extends Omit<Comment, 'replies'> {
  replies: ShownReply[];
  pending: Entry | null;
}

/** An id no server gives. */
export const pendingId = (entry: Pick<Entry, 'key'>): string => `pending:${entry.key}`;

/** Both together, by number; what has none yet comes last. */
export function merged(comments: readonly Comment[], entries: readonly Entry[], author: Author): ShownComment[] {
  const waiting = entries.filter((entry) => !hasArrived(comments, entry, author));
  const here = comments.map((comment): ShownComment => {
    const more = waiting.filter(({ replyTo }) => replyTo === comment.id);
    return { ...comment, pending: null, replies: [...comment.replies.map((reply) => ({ ...reply, pending: null })), ...more.map((entry) => replyOf(entry, author))] };
  });
  let number = comments.reduce((most, comment) => Math.max(most, comment.number), 0);
  const fresh = waiting.filter(({ replyTo }) => replyTo === null).map((entry): ShownComment => ({ ...commentOf(entry, author), number: ++number }));
  return [...here, ...fresh];
}

/** What was written as the answer to a comment that is gone: it has no thread to be shown in. */
export function withoutComment(comments: readonly Pick<Comment, 'id'>[], entries: readonly Entry[]): Entry[] {
  return entries.filter(({ replyTo }) => replyTo !== null && !comments.some(({ id }) => id === replyTo));
}

/** Whether the server has it already, although nobody heard its answer. */
export function hasArrived(comments: readonly Comment[], entry: Entry, author: Author): boolean {
  const same = (written: Comment | Reply): boolean => written.clientKey === entry.key && written.author.uid === author.uid;
  if (entry.replyTo === null) return comments.some(same);
  return comments.find(({ id }) => id === entry.replyTo)?.replies.some(same) ?? false;
}

function replyOf(entry: Entry, author: Author): ShownReply {
  return { id: pendingId(entry), body: entry.body, author, mentions: entry.mentions, createdAt: entry.createdAt, editedAt: null, pending: entry };
}

function commentOf(entry: Entry, author: Author): ShownComment {
  return {
    id: pendingId(entry),
    number: 0,
    body: entry.body,
    position: entry.position ?? { anchorSelector: '', page: '/' },
    deploymentId: entry.deploymentId,
    author,
    mentions: entry.mentions,
    resolved: false,
    resolvedBy: null,
    resolvedAt: null,
    unread: false,
    images: [],
    replies: [],
    createdAt: entry.createdAt,
    updatedAt: entry.createdAt,
    editedAt: null,
    pending: entry,
  };
}
