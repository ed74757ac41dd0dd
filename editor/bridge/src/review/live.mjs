/**
 * Reading the page that people work in, where the review browser does not show the element. It is not loaded anew, so that what was opened
 * in it stays open, and nothing is taken out of it. What it read before an edit is kept here; a page that was loaded since knows nothing
 * of it. The prototype's scripts share the page: what is said here is a claim of the page.
 */
import { review } from './review.mjs';

/** The page has rested when nothing changed for so long, and is not waited for longer. In milliseconds. */
const CALM = 250;
const PATIENCE = 3_000;

/** What can be done to a page's own elements while somebody works in it: put in again, a dialog is closed and a film begins anew. */
const GENTLE = new Set(['text', 'attribute', 'class', 'style']);

/** Complaints that are told, and the length of one. */
const MAX_COMPLAINTS = 50;
const MAX_WORDS = 400;

/** Readers that the page is kept for; an older one was forgotten by whoever asked. */
const MAX_READERS = 4;

const readers = new Map();
let deaf;

/** Hears what the page complains of, until nobody reads any more. */
function listen() {
  if (deaf) return;
  const note = (words) => {
    for (const { complaints } of readers.values()) if (complaints.size < MAX_COMPLAINTS) complaints.add(String(words).slice(0, MAX_WORDS));
  };
  const failed = ({ error, message }) => note(error?.stack ?? message);
  const rejected = ({ reason }) => note(reason?.stack ?? reason);
  const { error } = console;
  const heard = (...words) => {
    note(words.map(String).join(' '));
    error.apply(console, words);
  };
  console.error = heard;
  window.addEventListener('error', failed);
  window.addEventListener('unhandledrejection', rejected);
  deaf = () => {
    if (console.error === heard) console.error = error;
    window.removeEventListener('error', failed);
    window.removeEventListener('unhandledrejection', rejected);
    deaf = undefined;
  };
}

function end(reader) {
  readers.delete(reader);
  if (readers.size === 0) deaf?.();
}

/** What is under the mouse and what has the focus looks different for that. */
const touched = () => [...document.querySelectorAll(':hover, :focus')].map(({ localName }) => localName).join('>');

/** Learns how the page looks before an edit, and how it should look after it. Without a request only that it goes on working. */
async function begin({ reader, request }) {
  if (request && !GENTLE.has(request.kind)) return { is: 'unable' };
  const kept = { request, complaints: new Set() };
  readers.set(reader, kept);
  for (const known of readers.keys()) if (readers.size > MAX_READERS) readers.delete(known);
  listen();
  if (await aimed(kept)) return { is: 'ready', complaints: [...kept.complaints] };
  end(reader);
  return { is: 'unable' };
}

/** Whether the page can say how it should look. */
async function aimed(kept) {
  // That of a change which was just taken back goes with it.
  for (const limit = performance.now() + PATIENCE; review.overlay() !== null; ) {
    if (performance.now() > limit) return false;
    await new Promise((resolve) => setTimeout(resolve, CALM));
  }
  await review.quiet(CALM, PATIENCE);
  const first = JSON.parse(review.read());
  await review.quiet(CALM, PATIENCE);
  kept.wanted = kept.request ? JSON.parse(review.expected(kept.request)) : null;
  kept.bases = [JSON.parse(review.read()), first];
  kept.touched = touched();
  return !kept.request || kept.wanted !== null;
}

/** In what the page differs from that. */
function look({ reader, trees, file }) {
  const before = readers.get(reader);
  if (!before) return { is: 'gone' };
  const seen = { is: 'seen', overlay: review.overlay(), complaints: [...before.complaints], differences: [], ...review.whole(file) };
  if (!before.request || seen.overlay !== null) return seen;
  if (touched() !== before.touched) return { is: 'busy' };
  const found = JSON.parse(review.read());
  const differences = review.judge({ ...before, found, trees });
  // A dialog that hot reload closed: nothing is known of what was in it.
  const isAway = differences.some(({ element, aspect }) => element === before.request.src && aspect === 'count');
  return isAway ? { is: 'gone' } : { ...seen, differences };
}

/** Answers a question of the program. */
export async function answer(ask) {
  switch (ask.do) {
    case 'begin':
      return begin(ask);
    case 'look':
      return look(ask);
    case 'forget':
      readers.get(ask.reader)?.complaints.clear();
      return { is: 'ended' };
    default:
      end(ask.reader);
      return { is: 'ended' };
  }
}
