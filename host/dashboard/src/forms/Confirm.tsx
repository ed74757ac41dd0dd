import { Window } from '@kit/Window.tsx';
import { words } from '@kit/words.ts';
import { useState, type FormEvent, type ReactNode } from 'react';
import { formWords } from '../words/forms.ts';
import { Refusal } from './Refusal.tsx';

/**
 * Asks before something that cannot be taken back. `typed` is what has to be typed first. A refusal is shown in the
 * dialog, which stays.
 */
export function Confirm({ title, children, action, typed, isBusy, error, onConfirm, onClose }: { title: string; children: ReactNode; action: string; typed?: string; isBusy: boolean; error: Error | null; onConfirm: () => void; onClose: () => void }) {
  const [text, setText] = useState('');
  const isReady = !isBusy && (typed === undefined || text.trim() === typed);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) onConfirm();
  };
  return (
    <Window title={title} about={children} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        {typed !== undefined && (
          <label>
            {formWords.typeToConfirm(typed)}
            <input className="input mono" value={text} autoComplete="off" spellCheck={false} onChange={(event) => setText(event.target.value)} />
          </label>
        )}
        <Refusal of={error} />
        <div className="button-row end">
          <button type="button" className="button" onClick={onClose}>
            {words.cancel}
          </button>
          <button type="submit" className="button danger" disabled={!isReady}>
            {action}
          </button>
        </div>
      </form>
    </Window>
  );
}
