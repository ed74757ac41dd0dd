/** Whether the sign-in this page was loaded with still holds. */
import { useSyncExternalStore } from 'react';
import { keyHeader } from './key.ts';

let ended = false;
const listeners = new Set<() => void>();

/** Called by the client. Guests have no session that could end. */
export function sessionEnded(): void {
  if (ended || Object.keys(keyHeader()).length === 0) return;
  ended = true;
  for (const listener of listeners) listener();
}

export function useSessionEnded(): boolean {
  return useSyncExternalStore(
    (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    () => ended,
  );
}
