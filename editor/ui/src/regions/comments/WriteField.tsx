import { useState } from 'react';
import { readableKeys } from '../../actions/keys.ts';
import { words } from '../../words.ts';

/** Writing a comment or a reply. What was typed stays until it is sent. */
export function WriteField({ label, button, onSend, onCancel, autoFocus = false }: { label: string; button: string; onSend: (body: string) => Promise<boolean>; onCancel?: () => void; autoFocus?: boolean }) {
  const [body, setBody] = useState('');
  const [sending, setSending] = useState(false);
  const send = async (): Promise<void> => {
    if (body.trim() === '' || sending) return;
    setSending(true);
    const sent = await onSend(body.trim());
    setSending(false);
    if (sent) setBody('');
  };
  return (
    <>
      <textarea
        className="area"
        aria-label={label}
        autoFocus={autoFocus}
        value={body}
        maxLength={10_000}
        onChange={(event) => setBody(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void send();
          if (event.key === 'Escape') onCancel?.();
        }}
      />
      <div className="foot" style={{ display: 'flex', justifyContent: 'flex-end', gap: 6, alignItems: 'center' }}>
        <span className="meta">{readableKeys('Mod+Enter')}</span>
        {onCancel && (
          <button type="button" className="button plain" onClick={onCancel}>
            {words.cancel}
          </button>
        )}
        <button type="button" className="button primary" disabled={body.trim() === '' || sending} onClick={() => void send()}>
          {button}
        </button>
      </div>
    </>
  );
}
