/** The program's events. */
import { parseEvent, type ServerEvent } from './session.ts';
import { listenTo, type Stream } from './stream.ts';

export interface Listening extends Pick<Stream, 'onConnection'> {
  onEvent(event: ServerEvent): void;
}

/** Listens until `signal` ends it, and begins again whenever the connection is lost. */
export function listen(send: typeof fetch, { onEvent, onConnection }: Listening, signal: AbortSignal): Promise<void> {
  const onMessage: Stream['onMessage'] = ({ event, data }) => {
    const parsed = parseEvent(event, data);
    if (parsed) onEvent(parsed);
  };
  return listenTo(send, { address: () => '/api/editor/events', onMessage, onConnection }, signal);
}
