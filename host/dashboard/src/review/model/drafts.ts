/** What somebody is typing and has not sent, by the place it is typed at. It survives a reload and a tab that crashes. */
import type { Storage } from './outbox.ts';

const PREFIX = 'galley:draft:';
const MAX_DRAFT = 20_000;

export interface Drafts {
  read(place: string): string;
  /** An empty text forgets the draft. */
  write(place: string, text: string): void;
}

/** The drafts of one project. `place` is `new`, `reply:<id>` or `edit:<id>`. */
export function draftsOf(storage: Storage, project: string): Drafts {
  const key = (place: string): string => `${PREFIX}${project}:${place}`;
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
  };
}
