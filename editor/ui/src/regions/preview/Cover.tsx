import { CircleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { restart } from '../../actions/restart_host.ts';
import { ActionButton } from '../../components/ActionButton.tsx';
import { useModel } from '../../react/use.ts';
import { State } from '@kit/State.tsx';
import { messages } from '../../messages.ts';

/** How long a page may take until its silence is worth a word, in milliseconds. */
const PATIENCE = 10_000;
const LINES = 30;

/** What lies over the preview while there is no page to see. */
export function Cover() {
  const session = useModel((model) => model.session);
  const log = useModel((model) => model.log);
  const silent = useSilence();
  if (session === null) {
    return (
      <div className="cover">
        <State title={messages.loadingSession} icon={<span className="spinner large" />} />
      </div>
    );
  }
  const { status, words: said } = session.host;
  if (status === 'running' || status === 'attached') {
    if (!silent) return null;
    return (
      <div className="banner" role="status" style={{ position: 'absolute', insetInline: 0, top: 0, zIndex: 3 }}>
        <CircleAlert size={15} aria-hidden />
        <span>
          <strong>{messages.noBridge}.</strong> {messages.noBridgeHelp}
        </span>
      </div>
    );
  }
  const failed = status === 'failed';
  return (
    <div className="cover" role="status">
      <div className={`state${failed ? ' bad' : ''}`} style={{ width: '100%' }}>
        {failed ? <CircleAlert size={22} aria-hidden /> : <span className="spinner large" />}
        <h2>{failed ? messages.hostFailed : messages.hostStarting}</h2>
        {said !== null && said !== '' && <p>{said}</p>}
        {failed && (
          <div className="actions">
            {session.host.kind !== 'attach' && <ActionButton action={restart} tone="primary" />}
          </div>
        )}
        {log.length > 0 && (
          <pre className="log" aria-label={messages.lastLines} tabIndex={0}>
            {log.slice(-LINES).join('\n')}
          </pre>
        )}
      </div>
    </div>
  );
}

function useSilence(): boolean {
  const waiting = useModel(({ session, page }) => !page.ready && (session?.host.status === 'running' || session?.host.status === 'attached'));
  const [silent, setSilent] = useState(false);
  useEffect(() => {
    setSilent(false);
    if (!waiting) return undefined;
    const timer = setTimeout(() => setSilent(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [waiting]);
  return silent && waiting;
}
