import { describe, expect, it } from 'vitest';
import { listen, type Surroundings } from '../../src/review/model/live.ts';

const event = (type: string): string => `data: {"type":"${type}"}\n\n`;
const answer = (text: string, status = 200, headers = {}): Response => new Response(status === 200 ? text : 'no', { status, headers });

/** Listens until `answers` are used up; gives what was heard and how long was waited. */
async function heard(answers: (() => Response)[], more: Partial<Surroundings> = {}): Promise<{ bells: number; connected: boolean[]; waits: number[] }> {
  const ended = new AbortController();
  const result = { bells: 0, connected: [] as boolean[], waits: [] as number[] };
  const around: Surroundings = {
    open: () => {
      const next = answers.shift();
      if (!next) {
        ended.abort();
        return Promise.reject(new Error('over'));
      }
      return Promise.resolve().then(next);
    },
    wait: (milliseconds) => {
      result.waits.push(milliseconds);
      return Promise.resolve();
    },
    ...more,
  };
  await listen('bell', { onBell: () => (result.bells += 1), onConnected: (connected) => result.connected.push(connected) }, around, ended.signal);
  return result;
}

describe('the bell', () => {
  it('rings for each event, and at the beginning', async () => {
    const { bells, connected } = await heard([() => answer(event('connected') + event('changed') + ': ping\n\n')]);
    expect(bells).toBe(2);
    expect(connected).toEqual([true, true, false]);
  });

  it('is opened again, later and later, and at once after it was heard', async () => {
    const refuse = (): Response => {
      throw new TypeError('offline');
    };
    const { waits } = await heard([refuse, () => answer('', 503, { 'retry-after': '9' }), refuse, () => answer(event('connected')), refuse]);
    expect(waits).toEqual([1000, 9000, 4000, 1000, 2000]);
  });

  it('of one tab is for all: only the one with the lock opens a stream', async () => {
    let opened = 0;
    const sent: unknown[] = [];
    const ended = new AbortController();
    const tell: ((event: { data: unknown }) => void)[] = [];
    const channel = { postMessage: (message: unknown) => sent.push(message), addEventListener: (_: string, listener: (event: { data: unknown }) => void) => tell.push(listener), close: () => undefined };
    let bells = 0;
    // Another tab holds the lock.
    const locks = { request: (_: string, { signal }: LockOptions) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted')))) };
    const listening = listen('bell', { onBell: () => (bells += 1), onConnected: () => undefined }, { open: () => ((opened += 1), Promise.reject(new Error())), wait: () => Promise.resolve(), locks, channel } as unknown as Surroundings, ended.signal);
    tell[0]?.({ data: 'bell' });
    tell[0]?.({ data: { anything: 'forged' } });
    tell[0]?.({ data: 'down' });
    expect([opened, bells, sent]).toEqual([0, 2, []]);
    ended.abort();
    await listening;
  });
});
