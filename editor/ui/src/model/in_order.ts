/** Numbered events in their order: what comes twice counts once, what comes early waits for what is before it. */

export interface InOrder<E> {
  /** The number of the last event that counted. */
  readonly last: number;
  readonly early: ReadonlyMap<number, E>;
}

/** With so many early events the one before them was lost: the stream is read again from `last`. */
export const MAX_EARLY = 256;

export function startAt<E>(last: number): InOrder<E> {
  return { last, early: new Map() };
}

/** Takes an event. Gives what counts now, in order. */
export function arrived<E>(before: InOrder<E>, number: number, event: E): { now: InOrder<E>; ready: E[] } {
  if (number <= before.last || before.early.has(number)) return { now: before, ready: [] };
  const early = new Map(before.early).set(number, event);
  const ready: E[] = [];
  let { last } = before;
  for (let next = early.get(last + 1); next !== undefined; next = early.get(last + 1)) {
    early.delete(++last);
    ready.push(next);
  }
  return { now: { last, early }, ready };
}

/** Whether waiting is in vain. */
export function isTorn({ early }: InOrder<unknown>): boolean {
  return early.size >= MAX_EARLY;
}
