/** Event streams of the program. Read with `fetch`, because a browser's `EventSource` could not be a POST. */
import { createParser } from 'eventsource-parser';

export interface Message {
  event: string;
  id: string | null;
  data: string;
}

export interface Stream {
  /** Where to listen, asked anew for each attempt. */
  address(): string;
  onMessage(message: Message): void;
  /** `lost` is followed by another attempt; `seconds` says when. */
  onConnection(connection: 'connecting' | 'live' | 'lost', seconds?: number): void;
}

/** The program sends a comment every 25 seconds; silence of twice that length means that nobody is there. */
const SILENCE = 55_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/** Listens until `signal` ends it, and begins again whenever the connection is lost. */
export async function listenTo(send: typeof fetch, stream: Stream, signal: AbortSignal): Promise<void> {
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    stream.onConnection('connecting');
    try {
      await once(send, stream, signal, () => {
        wait = FIRST_WAIT;
        stream.onConnection('live');
      });
    } catch {
      // Said below, in the same words as an end of the stream.
    }
    if (signal.aborted) return;
    stream.onConnection('lost', Math.ceil(wait / 1000));
    await sleep(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}

async function once(send: typeof fetch, stream: Stream, signal: AbortSignal, live: () => void): Promise<void> {
  const quiet = new AbortController();
  const address = stream.address();
  const response = await send(address, { method: 'POST', headers: { accept: 'text/event-stream' }, signal: AbortSignal.any([signal, quiet.signal]) });
  if (!response.ok || response.body === null) throw new Error(`${address}: status ${response.status}`);
  live();
  const parser = createParser({
    onEvent: ({ event, id, data }) => {
      if (!signal.aborted) stream.onMessage({ event: event ?? 'message', id: id ?? null, data });
    },
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let timer = setTimeout(() => quiet.abort(), SILENCE);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => quiet.abort(), SILENCE);
      parser.feed(value);
    }
  } finally {
    clearTimeout(timer);
  }
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
