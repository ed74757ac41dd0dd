import { useEffect } from 'react';
import { shellWords } from '../words.ts';

/** The tab's title: what is shown, then whose. */
export function useTitle(...parts: (string | undefined)[]): void {
  const title = [...parts.filter((part) => part !== undefined && part !== ''), shellWords.product].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
