/** What somebody is typing and has not sent, by the place it is typed at. It survives a reload and a tab that crashes. */
import type { Storage } from './outbox.ts';

const PREFIX = 'galley:draft:';
const MAX_DRAFT = 20_000;

export interface Drafts {
  read(place: string): string;
  /** An empty text forgets the draft. */
  write(place: string, text: string): void;
  /** The ids of comments that somebody began to answer. */
  answered(): string[];
}

/**
 * What one account is typing in one project. `place` is `new`, `reply:<id>` or `edit:<id>`; without an `account` it is the
 * browser's guest who types. Another account in the same browser does not see it.
 */
export function draftsOf(storage: Storage, project: string, account: string | null): Drafts {
  const key = (place: string): string => `${PREFIX}${project}:${account ?? 'guest'}:${place}`;
  return {
    read: (place) => {
      try {
        return (storage.getItem(key(place)) ?? '').slice(0, MAX_DRAFT);
      } catch {
        return '';
      }
    },
    write: (place, text) => {
      try {
        if (text === '') storage.removeItem(key(place));
        else storage.setItem(key(place), text.slice(0, MAX_DRAFT));
      } catch {
        // A full or forbidden storage: the text stays in its field.
      }
    },
    answered: () => {
      const replies = key('reply:');
      const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
      return keys.filter((each) => each.startsWith(replies)).map((each) => each.slice(replies.length));
    },
  };
}
