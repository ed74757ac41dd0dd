/**
 * The bell: the server says that something changed, and everybody reads again. A browser opens few connections to one host, so
 * of all tabs of a project one listens (the one that holds the lock) and rings for the others. Only bells go between tabs.
 */
import { createParser } from 'eventsource-parser';
import { pause } from './outbox.ts';

/** No byte for so long (the server pings every few seconds): the connection is dead. */
const SILENT_TIMEOUT = 60_000;

/** What listening needs of the browser. */
export interface Surroundings {
  /** Opens the stream. Rejects, or answers without success: again later. */
  open(signal: AbortSignal): Promise<Response>;
  locks?: Pick<LockManager, 'request'> | undefined;
  channel?: Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'close'> | undefined;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export interface Listener {
  /** Something may have changed. */
  onBell(): void;
  /** Whether this tab hears of changes: `false` while nobody can listen. */
  onConnected(connected: boolean): void;
}

/** Listens until `signal` is aborted. */
export async function listen(name: string, { onBell, onConnected }: Listener, around: Surroundings, signal: AbortSignal): Promise<void> {
  const { channel, locks } = around;
  // What another tab says is a bell and nothing more, whatever it contains.
  channel?.addEventListener('message', (event) => {
    if (signal.aborted) return;
    const up = event.data !== 'down';
    onConnected(up);
    if (up) onBell();
  });
  signal.addEventListener('abort', () => channel?.close(), { once: true });
  const lead = (): Promise<void> =>
    keepOpen(
      {
        onBell: () => {
          onBell();
          channel?.postMessage('bell');
        },
        onConnected: (connected) => {
          onConnected(connected);
          if (!connected) channel?.postMessage('down');
        },
      },
      around,
      signal,
    );
  // Without locks (http beyond this machine) each tab has a stream of its own.
  if (!locks) return lead();
  await locks.request(name, { signal }, lead).catch(() => undefined);
}

/** One stream, opened again whenever it ends. */
async function keepOpen({ onBell, onConnected }: Listener, around: Surroundings, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let asked: number | null = null;
    try {
      const response = await around.open(signal);
      asked = retryAfter(response);
      if (response.ok && response.body) {
        const heard = await readStream(response.body, signal, () => {
          failures = 0;
          onConnected(true);
          onBell();
        });
        if (heard) failures = 0;
      } else await response.body?.cancel();
    } catch {
      // The network's reasons are not told to scripts.
    }
    if (signal.aborted) return;
    onConnected(false);
    failures += 1;
    await around.wait(pause(failures, asked) * 1000, signal);
  }
}

/** Reads a stream to its end; gives whether anything was heard. A stream that is silent for too long is given up. */
async function readStream(body: ReadableStream<Uint8Array>, signal: AbortSignal, onEvent: () => void): Promise<boolean> {
  let heard = false;
  const parser = createParser({
    onEvent: () => {
      heard = true;
      onEvent();
    },
  });
  const reader = body.getReader();
  const text = new TextDecoder();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void reader.cancel().catch(() => undefined), SILENT_TIMEOUT);
  };
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    watch();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      watch();
      parser.feed(text.decode(chunk.value, { stream: true }));
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
  return heard;
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

/** Waits; ends early when `signal` is aborted, or the browser is online again. */
export function waitOrOnline(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
