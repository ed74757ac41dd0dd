/** Short words at the bottom of the page about what was just done. */
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { create } from 'zustand';
import { shellWords } from '../words.ts';

interface Toast {
  id: number;
  words: string;
  tone: 'good' | 'bad';
}

const useToasts = create<{ shown: Toast[] }>(() => ({ shown: [] }));
const TOAST_TIMEOUT = 6_000;
let last = 0;

/** Says something. Good news goes by itself, bad news stays until somebody dismisses it. */
export function say(words: string, tone: 'good' | 'bad' = 'good'): void {
  const id = ++last;
  useToasts.setState(({ shown }) => ({ shown: [...shown.filter((each) => each.words !== words), { id, words, tone }] }));
  if (tone === 'good') setTimeout(() => dismiss(id), TOAST_TIMEOUT);
}

function dismiss(id: number): void {
  useToasts.setState(({ shown }) => ({ shown: shown.filter((each) => each.id !== id) }));
}

export function Toasts() {
  const shown = useToasts((state) => state.shown);
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, words, tone }) => (
        <div key={id} className={`toast ${tone}`}>
          {tone === 'bad' ? <CircleAlert size={16} aria-hidden /> : <CircleCheck size={16} aria-hidden />}
          <p className="words">{words}</p>
          <button type="button" className="icon-button small" aria-label={shellWords.dismiss} onClick={() => dismiss(id)}>
            <X size={14} aria-hidden />
          </button>
        </div>
      ))}
    </div>
  );
}
