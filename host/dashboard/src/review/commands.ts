/** What people do, each in one function: buttons, keys and the palette call these. */
import type { ReviewMode } from '@kit/review.ts';
import { changeComment, changeReply, deleteComment, deleteImage, deleteReply, resolveComments, uploadImage, type Comment } from '../api/comments.ts';
import { asApiError } from '../api/error.ts';
import { say } from '../shell/toasts.tsx';
import { reviewWords } from '../words.ts';
import type { Reviewing } from './context.tsx';
import { tell } from './frame.ts';
import { queryOf } from './model/address.ts';
import type { ShownComment } from './model/merge.ts';
import { addressIn, innerPath, isOnPage } from './model/pages.ts';
import { stateOf } from './model/pins.ts';
import { commentsQuery } from './queries.ts';
import { localStorageOrNothing, setFrame, speak, useReview } from './store.ts';

export function setMode(mode: ReviewMode): void {
  useReview.setState({ mode, ...(mode === 'use' ? { placing: null, repinning: null, guessed: null } : {}) });
  if (mode === 'comment' && matchMedia('(width < 760px)').matches) useReview.setState({ panel: false });
  tell({ type: 'review:mode', mode });
  // Tab walks along the prototype, and Enter comments what has the focus there.
  if (mode === 'comment') document.querySelector<HTMLIFrameElement>('.device iframe')?.focus();
}

/** Opens a comment: its thread in the list, its element in the frame. */
export function select(comment: Pick<Comment, 'id' | 'position'> | null, { panel = true }: { panel?: boolean } = {}): void {
  useReview.setState(({ unread }) => ({
    selected: comment?.id ?? null,
    replying: false,
    ...(comment ? { unread: without(unread, comment.id) } : {}),
    ...(comment && panel ? { panel: true } : {}),
  }));
  if (!comment) return tell({ type: 'review:show', id: null });
  const { frame, pins } = useReview.getState();
  if (frame.page !== '' && !isOnPage(frame.page, comment.position.page, stateOf(pins.get(comment.id)))) goTo(comment.position.page);
  tell({ type: 'review:show', id: comment.id });
}

/** Shows a page of the prototype. */
export function goTo(page: string): void {
  const { frame } = useReview.getState();
  const path = innerPath(page);
  if (frame.is === 'ready') tell({ type: 'review:go', to: addressIn(frame.page, path) });
  else setFrame({ start: path, round: frame.round + 1, is: 'loading' });
}

/** Loads the frame again where it is. */
export function reloadFrame(): void {
  const { frame } = useReview.getState();
  setFrame({ start: frame.page === '' ? frame.start : innerPath(frame.page), round: frame.round + 1, is: 'loading', error: null });
}

/** Shows a version; `null` the live one. */
export function showVersion(at: string | null, page?: string): void {
  const { frame } = useReview.getState();
  useReview.setState({ at, placing: null, pins: new Map() });
  setFrame({ start: page === undefined ? (frame.page === '' ? frame.start : innerPath(frame.page)) : innerPath(page), round: frame.round + 1, is: 'loading', page: '', error: null });
}

/** The address of what is shown, for others. */
export function linkTo(comment: Pick<Comment, 'number'> | null): string {
  const { at, width, frame } = useReview.getState();
  const page = comment || frame.page === '' ? null : innerPath(frame.page);
  return location.origin + location.pathname + queryOf({ comment: comment?.number ?? null, page, deployment: at, width: comment ? null : width });
}

export async function copyLink(comment: Pick<Comment, 'number'> | null): Promise<void> {
  const link = linkTo(comment);
  try {
    await navigator.clipboard.writeText(link);
    say(reviewWords.copied);
  } catch {
    window.prompt(reviewWords.copyThis, link);
  }
}

export function setPanel(panel: boolean): void {
  useReview.setState({ panel });
  localStorageOrNothing().setItem('galley:panel', panel ? 'open' : 'closed');
}

export function setSingleKeys(singleKeys: boolean): void {
  useReview.setState({ singleKeys });
  localStorageOrNothing().setItem('galley:single-keys', singleKeys ? 'on' : 'off');
}

/** Changes the list at once, asks the server, and takes the change back when it refuses. */
async function optimistically({ desk }: Reviewing, change: (comments: Comment[]) => Comment[], act: () => Promise<unknown>): Promise<boolean> {
  if (!desk) return false;
  const { queryKey } = commentsQuery(desk.project);
  await desk.client.cancelQueries({ queryKey });
  const before = desk.client.getQueryData<Comment[]>(queryKey);
  if (before) desk.client.setQueryData(queryKey, change(before));
  try {
    await act();
    return true;
  } catch (error) {
    if (before) desk.client.setQueryData(queryKey, before);
    say(asApiError(error).reason, 'bad');
    return false;
  } finally {
    void desk.client.invalidateQueries({ queryKey });
  }
}

export async function resolve(around: Reviewing, comment: ShownComment): Promise<void> {
  if (comment.pending) return;
  await resolveMany(around, [comment.id], !comment.resolved);
}

export async function resolveMany(around: Reviewing, ids: readonly string[], resolved: boolean): Promise<boolean> {
  const { desk, project, author } = around;
  if (!desk || !author) {
    say(reviewWords.nameFirst, 'bad');
    return false;
  }
  const among = new Set(ids);
  const now = new Date().toISOString();
  const change = (comments: Comment[]): Comment[] =>
    comments.map((comment) => (among.has(comment.id) && comment.resolved !== resolved ? { ...comment, resolved, resolvedBy: resolved ? author : null, resolvedAt: resolved ? now : null } : comment));
  const done = await optimistically(around, change, () => resolveComments(project.id, ids, resolved, author));
  if (done) speak(resolved ? reviewWords.resolved : reviewWords.reopen);
  return done;
}

export function editText(around: Reviewing, comment: string, reply: string | null, body: string, mentions: string[]): Promise<boolean> {
  const { project } = around;
  const editedAt = new Date().toISOString();
  const change = (comments: Comment[]): Comment[] =>
    comments.map((each) => {
      if (each.id !== comment) return each;
      if (reply === null) return { ...each, body, mentions, editedAt };
      return { ...each, replies: each.replies.map((one) => (one.id === reply ? { ...one, body, mentions, editedAt } : one)) };
    });
  return optimistically(around, change, () => (reply === null ? changeComment(project.id, comment, { body, mentions }) : changeReply(project.id, comment, reply, { body, mentions })));
}

export function remove(around: Reviewing, comment: string, reply: string | null): Promise<boolean> {
  const { project } = around;
  const change = (comments: Comment[]): Comment[] =>
    reply === null ? comments.filter(({ id }) => id !== comment) : comments.map((each) => (each.id === comment ? { ...each, replies: each.replies.filter(({ id }) => id !== reply) } : each));
  return optimistically(around, change, () => (reply === null ? deleteComment(project.id, comment) : deleteReply(project.id, comment, reply)));
}

export function removeImage(around: Reviewing, comment: string, image: string): Promise<boolean> {
  const change = (comments: Comment[]): Comment[] => comments.map((each) => (each.id === comment ? { ...each, images: each.images.filter(({ id }) => id !== image) } : each));
  return optimistically(around, change, () => deleteImage(around.project.id, comment, image));
}

export async function addImages(around: Reviewing, comment: string, files: readonly Blob[]): Promise<void> {
  for (const file of files) await optimistically(around, (comments) => comments, () => uploadImage(around.project.id, comment, file));
}

/** Asks the frame where its best guess for a detached comment is: the answer pins the comment there. */
export function pinAtGuess(id: string): void {
  useReview.setState({ guessed: id });
  tell({ type: 'review:place', id });
}

/** Pins a comment at another element. */
export async function pinAgain(around: Reviewing, id: string, position: Comment['position'], deployment: string | null): Promise<void> {
  const change = (comments: Comment[]): Comment[] => comments.map((each) => (each.id === id ? { ...each, position, deploymentId: deployment } : each));
  const done = await optimistically(around, change, () => changeComment(around.project.id, id, { position, ...(deployment === null ? {} : { deploymentId: deployment }) }));
  if (done) say(reviewWords.repinned);
}

function without<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  if (!set.has(value)) return set;
  const less = new Set(set);
  less.delete(value);
  return less;
}
