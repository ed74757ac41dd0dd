/** What the review page shows, beside the answers of the server (those are react-query's). */
import type { Box } from '@kit/anchor.ts';
import type { PlacedPin, ReviewMode } from '@kit/review.ts';
import { create } from 'zustand';
import type { Position } from '../api/comments.ts';
import { parsePlace } from './model/address.ts';
import type { Filter } from './model/filters.ts';
import type { Guest } from './model/guest.ts';
import { readGuest } from './model/guest.ts';
import type { Entry, Storage } from './model/outbox.ts';

/** Somebody chose an element and is about to write. */
export interface Placing {
  position: Position;
  /** In the frame, in its own CSS pixels. */
  rect: Box;
  label: string;
  /** The version that was shown. */
  deployment: string | null;
}

export interface Frame {
  /** `silent`: it has loaded, and its bridge says nothing. */
  is: 'loading' | 'ready' | 'silent';
  /** The address it reports; a claim. */
  page: string;
  title: string;
  /** The version it says it is of; a claim, and `null` where it says nothing. */
  deployment: string | null;
  /** The last error of the prototype's own script. */
  error: string | null;
  /** Grows when the frame is to be loaded again. */
  round: number;
  /** Where it begins. */
  start: string;
  /** How large it is shown. */
  scale: number;
}

export interface ReviewState {
  mode: ReviewMode;
  /** In CSS pixels; `null` fills what there is. */
  width: number | null;
  /** `null` fits. */
  zoom: number | null;
  filter: Filter;
  query: string;
  /** The comment that is open. */
  selected: string | null;
  /** Whether the open comment's field has been asked for. */
  replying: boolean;
  placing: Placing | null;
  /** The detached comment that is to be pinned again. */
  repinning: string | null;
  /** The detached comment whose best guess was taken: the frame is asked where that is. */
  guessed: string | null;
  /** Comments that are chosen together; `null` while nobody chooses. */
  chosen: ReadonlySet<string> | null;
  frame: Frame;
  pins: ReadonlyMap<string, PlacedPin>;
  /** The version in the frame, when it is not the live one. */
  at: string | null;
  /** The version in the frame while it shows what is live: the live one when its page was loaded. */
  loaded: string | null;
  /** Whether changes are heard of. */
  live: boolean;
  outbox: Entry[];
  guest: Guest | null;
  singleKeys: boolean;
  panel: boolean;
  dialog: 'palette' | 'help' | null;
  /** Unread comments when the page was opened: their dots stay until they are opened. */
  unread: ReadonlySet<string>;
  /** Said to screen readers. */
  said: string;
}

const place = parsePlace(location.search);
const NARROW = matchMedia('(width < 760px)');

export const useReview = create<ReviewState>(() => ({
  mode: 'use',
  width: place.width,
  zoom: null,
  filter: 'open',
  query: '',
  selected: null,
  replying: false,
  placing: null,
  repinning: null,
  guessed: null,
  chosen: null,
  frame: { is: 'loading', page: '', title: '', deployment: null, error: null, round: 0, start: '/', scale: 1 },
  pins: new Map(),
  at: place.deployment,
  loaded: null,
  live: true,
  outbox: [],
  guest: readGuest(localStorageOrNothing()),
  singleKeys: localStorageOrNothing().getItem('galley:single-keys') !== 'off',
  panel: !NARROW.matches && localStorageOrNothing().getItem('galley:panel') !== 'closed',
  dialog: null,
  unread: new Set(),
  said: '',
}));

/** The version in the frame, which is not always the live one. */
export const shownVersion = ({ at, loaded }: Pick<ReviewState, 'at' | 'loaded'>): string | null => at ?? loaded;

/** `localStorage`, or something that forgets where the browser forbids it. */
export function localStorageOrNothing(): Storage {
  try {
    return window.localStorage;
  } catch {
    return { getItem: () => null, setItem: () => undefined, removeItem: () => undefined, key: () => null, length: 0 };
  }
}

export function setFrame(change: Partial<Frame>): void {
  useReview.setState(({ frame }) => ({ frame: { ...frame, ...change } }));
}

/** Says something to screen readers. */
export function speak(said: string): void {
  useReview.setState({ said });
}
