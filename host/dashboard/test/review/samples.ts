import type { Comment } from '../../src/api/comments.ts';
import type { Entry, Storage } from '../../src/review/model/outbox.ts';

export const ANA = { uid: 'user:ana', displayName: 'Ana' };
export const BO = { uid: 'viewer:bo', displayName: 'Bo' };

export function comment(number: number, change: Partial<Comment> = {}): Comment {
  return {
    id: `c${number}`,
    number,
    body: `Text ${number}`,
    position: { anchorSelector: '#buy', page: '/p/shop/' },
    deploymentId: null,
    author: ANA,
    mentions: [],
    resolved: false,
    resolvedBy: null,
    resolvedAt: null,
    unread: false,
    images: [],
    replies: [],
    createdAt: '2026-11-01T10:00:00.000Z',
    updatedAt: '2026-11-01T10:00:00.000Z',
    editedAt: null,
    ...change,
  };
}

export function entry(key: string, change: Partial<Entry> = {}): Entry {
  return { key, replyTo: null, body: 'New', mentions: [], position: { anchorSelector: 'h1', page: '/' }, deploymentId: 'd1', images: 0, createdAt: '2026-11-02T10:00:00.000Z', refused: null, ...change };
}

/** A `localStorage` in memory. With `room` it takes so many characters. */
export function memory(room = Infinity): Storage & { all: Map<string, string> } {
  const all = new Map<string, string>();
  return {
    all,
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      all.set(key, value);
    },
    removeItem: (key) => void all.delete(key),
    key: (at) => [...all.keys()][at] ?? null,
    get length() {
      return all.size;
    },
  };
}
