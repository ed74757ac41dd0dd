import { useEffect, useRef, useState } from 'react';

/** A text that somebody is typing over a value that may change meanwhile. */
export function useDraft(value: string): { draft: string; setDraft: (text: string) => void; dirty: boolean; reset: () => void } {
  const [draft, setDraft] = useState(value);
  const shown = useRef(value);
  useEffect(() => {
    // What is being typed stays; what is not goes with the value.
    setDraft((now) => (now === shown.current ? value : now));
    shown.current = value;
  }, [value]);
  return { draft, setDraft, dirty: draft !== value, reset: () => setDraft(value) };
}
