import { useEffect, useRef, useState } from 'react';

export interface Draft {
  draft: string;
  setDraft(text: string): void;
  /** Whether there is something to save: neither the value nor what was sent already. */
  dirty: boolean;
  /** Whether it was sent and refused: it stays, and is sent again only by Enter. */
  refused: boolean;
  /** Says that the draft is on its way: leaving the field right after Enter must not send it again. */
  sent(text?: string): void;
  /** Says that it was not saved. */
  refuse(): void;
  reset(): void;
}

/** A text that somebody is typing over a value that may change meanwhile. `read` is another one whenever the value was read again. */
export function useDraft(value: string, read?: unknown): Draft {
  const [draft, setDraft] = useState(value);
  const [sent, setSent] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const shown = useRef(value);
  useEffect(() => {
    // What is being typed stays; what is not, or is what was sent, goes with the value.
    const before = shown.current;
    shown.current = value;
    setDraft((now) => (now === before || now === sent ? value : now));
    setSent(null);
    // Only a new value counts, or the same one where another was sent.
  }, [value, read]);
  const type = (text: string): void => {
    setDraft(text);
    // Typed again it is meant again.
    setSent(null);
    setRefused(null);
  };
  const refuse = (): void => {
    setRefused(draft);
    setSent(null);
  };
  const reset = (): void => type(value);
  const isNew = draft !== value && draft !== sent;
  return { draft, setDraft: type, dirty: isNew && draft !== refused, refused: isNew && draft === refused, sent: (text = draft) => setSent(text), refuse, reset };
}
