/** The turns of one chat, as its stream tells them. */
import type { ChatEvent, ChatSession, Item, Turn } from '../api/chat.ts';
import type { Refusal } from '../api/result.ts';
import { arrived, isTorn, startAt, type InOrder } from './in_order.ts';

export interface Thread {
  session: ChatSession;
  /** The oldest first. */
  turns: readonly Turn[];
  /** Whether there are older ones than these. */
  more: boolean;
  /** Reading older ones: under way, or why it did not work. */
  older: 'loading' | Refusal | null;
  events: InOrder<ChatEvent>;
}

export function threadOf(read: { session: ChatSession; turns: Turn[]; more: boolean; seq: number }): Thread {
  return { session: read.session, turns: read.turns, more: read.more, older: null, events: startAt(read.seq) };
}

/** What an event makes of a chat. `gone`: it was deleted. `torn`: events were lost, and the stream has to be read again. */
export function told(thread: Thread, number: number | null, event: ChatEvent): { thread: Thread; gone: boolean; torn: boolean } {
  if (event.event === 'deleted') return { thread, gone: true, torn: false };
  if (event.event === 'snapshot') return { thread: begunAnew(event.data), gone: false, torn: false };
  // Without a number nobody knows whether it counted already.
  if (number === null) return { thread, gone: false, torn: false };
  const { now, ready } = arrived(thread.events, number, event);
  const changed = ready.reduce(apply, { ...thread, events: now });
  return { thread: changed, gone: false, torn: isTorn(now) };
}

/** What was known before may be old: earlier turns are read again when somebody scrolls up to them. */
function begunAnew({ session, turn, seq }: { session: ChatSession; turn: Turn | null; seq: number }): Thread {
  const turns = turn === null ? [] : [turn];
  return { session, turns, more: session.turns > turns.length, older: null, events: startAt(seq) };
}

function apply(thread: Thread, event: ChatEvent): Thread {
  switch (event.event) {
    case 'session':
      return { ...thread, session: event.data.session };
    case 'turn':
      return { ...thread, turns: withTurn(thread.turns, event.data.turn) };
    case 'item':
      return inTurn(thread, event.data.turn, (turn) => ({ ...turn, items: withItem(turn.items, event.data.item) }));
    case 'delta': {
      const { n, text } = event.data;
      return inTurn(thread, event.data.turn, (turn) => ({ ...turn, items: turn.items.map((item) => (item.n === n && 'text' in item ? { ...item, text: item.text + text } : item)) }));
    }
    default:
      return thread;
  }
}

/** A turn that is known is another now; an unknown one is the newest, or so old that it was not read yet. */
export function withTurn(turns: readonly Turn[], turn: Turn): readonly Turn[] {
  const at = turns.findIndex(({ id }) => id === turn.id);
  if (at >= 0) return turns.with(at, turn);
  const last = turns.at(-1);
  return last === undefined || turn.at >= last.at ? [...turns, turn] : turns;
}

/** Older turns in front. Those that are there already stay as they are: the stream has told of them since. */
export function withOlder(thread: Thread, older: readonly Turn[], more: boolean): Thread {
  const there = new Set(thread.turns.map(({ id }) => id));
  return { ...thread, turns: [...older.filter(({ id }) => !there.has(id)), ...thread.turns], more, older: null };
}

function inTurn(thread: Thread, id: string, change: (turn: Turn) => Turn): Thread {
  return { ...thread, turns: thread.turns.map((turn) => (turn.id === id ? change(turn) : turn)) };
}

function withItem(items: Item[], item: Item): Item[] {
  const at = items.findIndex(({ n }) => n === item.n);
  if (at >= 0) return items.with(at, item);
  return [...items, item].sort((one, other) => one.n - other.n);
}
