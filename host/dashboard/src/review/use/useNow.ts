import { useSyncExternalStore } from 'react';

const MINUTE = 60_000;
let now = Date.now();
const listeners = new Set<() => void>();

/** The time, to the minute: `3 minutes ago` is right while somebody looks. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

setInterval(() => {
  now = Date.now();
  for (const listener of listeners) listener();
}, MINUTE);
