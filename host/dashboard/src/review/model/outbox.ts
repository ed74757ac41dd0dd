/**
 * What was written and is not at the server yet. It lies in `localStorage`, so that a lost connection, a reload and an expired
 * session lose nothing. Each entry has a key of its own, which the server knows again: sending twice writes once.
 */
import * as v from 'valibot';
import type { Position } from '../../api/comments.ts';

const MAX_ENTRIES = 100;

const EntrySchema = v.object({
  key: v.pipe(v.string(), v.minLength(8), v.maxLength(64)),
  /** The comment it answers; `null` for a new comment. */
  replyTo: v.nullable(v.string()),
  body: v.string(),
  mentions: v.array(v.string()),
  position: v.nullable(v.custom<Position>((value) => typeof value === 'object' && value !== null)),
  deploymentId: v.nullable(v.string()),
  /** How many images go with it. They lie in the browser's database under the entry's key. */
  images: v.optional(v.number(), 0),
  createdAt: v.string(),
  /** The server's words, when it refused. It is not sent again by itself. */
  refused: v.nullable(v.string()),
});
export type Entry = v.InferOutput<typeof EntrySchema>;

/** The part of `localStorage` that is used. */
export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Where the entries of one author in one project lie. Another account in the same browser neither sees nor sends them. */
export function outboxKey(project: string, author: string): string {
  return `galley:outbox:${project}:${author}`;
}

/** Reads the entries. Everybody on this origin can write there, so each is parsed; what is none is left out. */
export function readOutbox(storage: Storage, key: string): Entry[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(key) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.slice(0, MAX_ENTRIES).flatMap((each) => {
      const parsed = v.safeParse(EntrySchema, each);
      return parsed.success ? [parsed.output] : [];
    });
  } catch {
    return [];
  }
}

/** Writes the entries; gives whether the browser kept them. */
export function writeOutbox(storage: Storage, key: string, entries: readonly Entry[]): boolean {
  try {
    if (entries.length === 0) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(entries));
    return true;
  } catch {
    return false;
  }
}

/** What came of sending one entry. */
export type Sent =
  | { is: 'done' }
  /** The server does not want it: its words are shown, the writer decides. */
  | { is: 'refused'; reason: string }
  /** Nobody answered, or the server was busy: again later. */
  | { is: 'later'; seconds: number | null }
  /** The server failed over this one. */
  | { is: 'failed'; reason: string }
  /** The session has ended: again after signing in. */
  | { is: 'signed-out' };

/** Attempts at an entry that the server fails over. After them it counts as refused, so that the others are sent. */
const MAX_ATTEMPTS = 3;

/** What came after so many attempts that the server failed over before: a failure becomes a delay, or the last one a refusal. */
export function settled(came: Sent, before: number): Exclude<Sent, { is: 'failed' }> {
  if (came.is !== 'failed') return came;
  return before + 1 < MAX_ATTEMPTS ? { is: 'later', seconds: null } : { is: 'refused', reason: came.reason };
}

/** The entries after one was sent. */
export function afterSending(entries: readonly Entry[], key: string, sent: Sent): Entry[] {
  if (sent.is === 'done') return entries.filter((entry) => entry.key !== key);
  if (sent.is === 'refused') return entries.map((entry) => (entry.key === key ? { ...entry, refused: sent.reason } : entry));
  return [...entries];
}

/** The next one to send: in the order of writing, without those that were refused. */
export function nextToSend(entries: readonly Entry[]): Entry | undefined {
  return entries.find(({ refused }) => refused === null);
}

const MAX_PAUSE_SECONDS = 30;

/** Seconds to wait after `failures` failed attempts in a row: 1, 2, 4 … 30. What the server asks for counts more. */
export function pause(failures: number, asked: number | null = null): number {
  const own = Math.min(MAX_PAUSE_SECONDS, 2 ** Math.max(0, failures - 1));
  return asked === null ? own : Math.max(own, Math.min(asked, 300));
}
