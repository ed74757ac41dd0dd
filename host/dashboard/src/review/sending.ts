/** Sends what was written. One tab at a time; an entry leaves the outbox only when the server has it. */
import type { QueryClient } from '@tanstack/react-query';
import { createComment, createReply, inviteParticipant, uploadImage, type Author, type Comment } from '../api/comments.ts';
import { asApiError } from '../api/error.ts';
import { sessionEnded } from '../api/session.ts';
import { say } from '../shell/toasts.tsx';
import { reviewWords } from '../words.ts';
import { waitOrOnline } from './model/live.ts';
import { forgetImages, keptImages } from './model/kept_images.ts';
import { addressesIn, MAIL } from './model/people.ts';
import { afterSending, nextToSend, outboxKey, pause, readOutbox, settled, writeOutbox, type Entry, type Sent } from './model/outbox.ts';
import { commentsQuery } from './queries.ts';
import { localStorageOrNothing, speak, useReview } from './store.ts';

/** Who writes, where. */
export interface Desk {
  project: string;
  author: Author;
  client: QueryClient;
}

const keyOf = ({ project, author }: Desk): string => outboxKey(project, author.uid);

/** Takes what lies in the browser's storage, as after a reload or when another tab wrote. */
export function loadOutbox(desk: Desk): void {
  useReview.setState({ outbox: readOutbox(localStorageOrNothing(), keyOf(desk)) });
}

/** Writes down an entry, so that it is shown at once, and sends it. */
export function post(desk: Desk, entry: Entry): void {
  store(desk, [...readOutbox(localStorageOrNothing(), keyOf(desk)), entry]);
  void flush(desk);
}

/** Forgets an entry: the writer does not want it sent. */
export function discard(desk: Desk, key: string): void {
  store(desk, readOutbox(localStorageOrNothing(), keyOf(desk)).filter((entry) => entry.key !== key));
  void forgetImages(key);
}

/** Tries a refused entry again. */
export function retry(desk: Desk, key: string): void {
  store(desk, readOutbox(localStorageOrNothing(), keyOf(desk)).map((entry) => (entry.key === key ? { ...entry, refused: null } : entry)));
  void flush(desk);
}

function store(desk: Desk, outbox: Entry[]): void {
  useReview.setState({ outbox });
  if (!writeOutbox(localStorageOrNothing(), keyOf(desk), outbox)) say(reviewWords.notKept, 'bad');
}

let running: AbortController | null = null;
let again = false;

/** Sends what waits, until nothing does or somebody has to sign in. */
export async function flush(desk: Desk): Promise<void> {
  if (running) {
    again = true;
    return;
  }
  const own = (running = new AbortController());
  const work = (): Promise<void> => sendAll(desk, own.signal);
  try {
    if (navigator.locks) await navigator.locks.request(`galley:sending:${keyOf(desk)}`, { signal: own.signal }, work);
    else await work();
  } catch {
    // Stopped while it waited for its turn.
  } finally {
    running = null;
    if (again) {
      again = false;
      void flush(desk);
    }
  }
}

/** Stops sending: the page is left, or somebody else writes. */
export function stopSending(): void {
  again = false;
  running?.abort();
}

async function sendAll(desk: Desk, signal: AbortSignal): Promise<void> {
  let failures = 0;
  /** How often in a row the server failed over the first entry. */
  let failed = 0;
  while (!signal.aborted) {
    const waiting = readOutbox(localStorageOrNothing(), keyOf(desk));
    const entry = nextToSend(waiting);
    if (!entry) return;
    const came = await send(desk, entry, failed);
    const sent = settled(came, failed);
    failed = came.is === 'failed' ? failed + 1 : 0;
    if (sent.is === 'signed-out') return;
    // The person may have discarded or added others meanwhile.
    const left = afterSending(readOutbox(localStorageOrNothing(), keyOf(desk)), entry.key, sent);
    if (sent.is === 'later') {
      failures += 1;
      await waitOrOnline(pause(failures, sent.seconds) * 1000, signal);
      continue;
    }
    failures = failed = 0;
    store(desk, left);
    speak(sent.is === 'refused' ? reviewWords.refused(sent.reason) : reviewWords.sent);
  }
}

async function send(desk: Desk, entry: Entry, failed: number): Promise<Sent> {
  const { project, author, client } = desk;
  const { queryKey } = commentsQuery(project);
  try {
    const mentions = await invited(desk, entry);
    const common = { body: entry.body, mentions, clientKey: entry.key, author };
    if (entry.replyTo !== null) {
      const reply = await createReply(project, entry.replyTo, common);
      client.setQueryData<Comment[]>(queryKey, (list) => list?.map((comment) => (comment.id === entry.replyTo && !comment.replies.some(({ id }) => id === reply.id) ? { ...comment, replies: [...comment.replies, reply] } : comment)));
    } else {
      const position = entry.position ?? { anchorSelector: '', page: '/' };
      const comment = await createComment(project, { ...common, position, deploymentId: entry.deploymentId });
      client.setQueryData<Comment[]>(queryKey, (list) => (list && !list.some(({ id }) => id === comment.id) ? [...list, comment] : list));
      if (useReview.getState().selected === `pending:${entry.key}`) useReview.setState({ selected: comment.id });
      if (entry.images > 0) await sendImages(desk, comment.id, entry.key, failed);
    }
    return { is: 'done' };
  } catch (error) {
    return whatCame(error);
  }
}

/** Who is named by a mail address is put into the directory first: `@ana@example.org` in the text, `mail:…` among the mentions. */
async function invited({ project, author }: Desk, { body, mentions }: Entry): Promise<string[]> {
  if (!author.uid.startsWith('user:')) return mentions;
  const addresses = addressesIn(body, mentions);
  const known = mentions.filter((id) => !id.startsWith(MAIL));
  if (addresses.length === 0) return known;
  const more = await Promise.all(addresses.map((address) => inviteParticipant(project, address)));
  return [...new Set([...known, ...more.map(({ id }) => id)])];
}

async function sendImages({ project, client }: Desk, comment: string, key: string, failedBefore: number): Promise<void> {
  for (const image of await keptImages(key)) {
    try {
      await uploadImage(project, comment, image);
    } catch (error) {
      const failed = asApiError(error);
      // The same bytes again are one image: the whole entry can be sent again.
      if (settled(whatCame(failed), failedBefore).is !== 'refused') throw failed;
      say(reviewWords.imageLost(failed.reason), 'bad');
    }
  }
  await forgetImages(key);
  void client.invalidateQueries({ queryKey: commentsQuery(project).queryKey });
}

/** Statuses of a slow request, and of a proxy that does not reach the server. */
const AWAY: ReadonlySet<number> = new Set([408, 502, 504]);

/** What a failure means for an entry. */
export function whatCame(error: unknown): Exclude<Sent, { is: 'done' }> {
  const { failure, status, reason, retryAfter } = asApiError(error);
  if (failure === 'signed-out' || failure === 'stale') return { is: 'signed-out' };
  // An account's comment is sent with the account's name, which no guest may claim: the server saw no account.
  if (status === 400 && reason.includes('author.uid')) {
    sessionEnded();
    return { is: 'signed-out' };
  }
  if (failure === 'offline' || failure === 'busy' || failure === 'aborted' || AWAY.has(status)) return { is: 'later', seconds: retryAfter };
  if (status >= 500) return { is: 'failed', reason };
  return { is: 'refused', reason };
}
