import { Check, Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { formWords } from '../words/forms.ts';

/** A link or secret that the server tells once, with a button that copies it. */
export function Once({ label, text, help, onClose }: { label: string; text: string; help: string; onClose: () => void }) {
  return (
    <section className="once" aria-label={label}>
      <div className="once-head">
        <h3>{label}</h3>
        <button type="button" className="button" onClick={onClose}>
          {formWords.doneWithIt}
        </button>
      </div>
      <Copyable label={label} text={text} />
      <p className="help">{help}</p>
    </section>
  );
}

/** Text to be copied: selected on focus, for browsers that refuse the clipboard. */
export function Copyable({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
    } catch {
      // The text is selected: the reader copies it.
    }
  };
  return (
    <div className="with-button">
      <input ref={field} className="input mono" readOnly aria-label={label} value={text} onFocus={({ currentTarget }) => currentTarget.select()} />
      <button type="button" className="button" onClick={() => void copy()}>
        {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
        <span role="status">{isCopied ? formWords.copied : formWords.copy}</span>
      </button>
    </div>
  );
}
