import { useSyncExternalStore } from 'react';

const NARROW = matchMedia('(width < 760px)');

/** Whether the page is so narrow that the list is a sheet over the prototype. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => NARROW.matches);
}

function subscribe(listener: () => void): () => void {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
}
