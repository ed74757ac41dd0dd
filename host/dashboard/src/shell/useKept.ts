import { useCallback, useEffect, useState } from 'react';

const PREFIX = 'galley-kept:';

/**
 * State of a form that outlives the page: kept in this tab until `forget` is called, so that nothing typed is lost when a
 * session ends or the page is loaded again. `key` names the form; give it the reader's id where readers differ. Never for
 * passwords and tokens.
 */
export function useKept<T>(key: string, initial: T): [T, (value: T) => void, () => void] {
  const [value, setValue] = useState<T>(() => read(key) ?? initial);
  useEffect(() => setValue(read(key) ?? initial), [key]);
  const set = useCallback(
    (next: T): void => {
      setValue(next);
      try {
        sessionStorage.setItem(PREFIX + key, JSON.stringify(next));
      } catch {
        // Without storage it is kept as long as the page.
      }
    },
    [key],
  );
  const forget = useCallback((): void => {
    setValue(initial);
    try {
      sessionStorage.removeItem(PREFIX + key);
    } catch {
      // Nothing was kept.
    }
  }, [key]);
  return [value, set, forget];
}

function read<T>(key: string): T | null {
  try {
    const kept = sessionStorage.getItem(PREFIX + key);
    return kept === null ? null : (JSON.parse(kept) as T);
  } catch {
    return null;
  }
}
