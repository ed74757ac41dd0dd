/** Follows a deployment's log over fetch, since an EventSource sends no key. It goes on where it stopped. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import * as v from 'valibot';
import { asApiError } from '../../api/error.ts';
import { send } from '../../api/client.ts';

export type LogState = { is: 'connecting' } | { is: 'live' } | { is: 'waiting'; seconds: number } | { is: 'done'; status: string } | { is: 'refused'; reason: string };

const LogSchema = v.object({ text: v.string() });
const DoneSchema = v.object({ status: v.string() });

/** Seconds between two attempts. */
const MAX_WAIT = 30;

/** Resolves when the log has ended, was refused, or `signal` says so. */
export async function followLog(path: string, onText: (text: string) => void, onState: (state: LogState) => void, signal: AbortSignal): Promise<void> {
  let lastId: string | null = null;
  let wait = 1;
  while (!signal.aborted) {
    onState({ is: 'connecting' });
    try {
      const response = await send(path, { headers: { accept: 'text/event-stream', ...(lastId === null ? {} : { 'last-event-id': lastId }) }, signal });
      if (!response.body) return onState({ is: 'refused', reason: '' });
      onState({ is: 'live' });
      const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader();
      for (let event = await events.read(); !event.done; event = await events.read()) {
        wait = 1;
        const { id, event: name, data } = event.value;
        const ended = read(name, data, onText);
        if (id !== undefined) lastId = id;
        if (ended !== null) return onState({ is: 'done', status: ended });
      }
    } catch (error) {
      if (signal.aborted) return;
      const { failure, reason, retryAfter } = asApiError(error);
      if (failure === 'refused' || failure === 'gone' || failure === 'signed-out' || failure === 'stale') return onState({ is: 'refused', reason });
      wait = Math.max(wait, retryAfter ?? 0);
    }
    if (signal.aborted) return;
    onState({ is: 'waiting', seconds: wait });
    await sleep(wait * 1000, signal);
    wait = Math.min(MAX_WAIT, wait * 2);
  }
}

/** The status that the log ended with, or `null`. */
function read(name: string | undefined, data: string, onText: (text: string) => void): string | null {
  const json = parse(data);
  if (name === 'log') {
    const log = v.safeParse(LogSchema, json);
    if (log.success) onText(log.output.text);
  }
  if (name !== 'done') return null;
  const done = v.safeParse(DoneSchema, json);
  return done.success ? done.output.status : '';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), done()), { once: true });
  });
}
