import { useEffect } from 'react';
import type { Reviewing } from '../context.tsx';
import { outboxKey } from '../model/outbox.ts';
import { flush, loadOutbox, stopSending } from '../sending.ts';

/** Sends what waits from before: after a reload, after signing in again, or when the network is back. */
export function useOutbox({ desk }: Reviewing): void {
  useEffect(() => {
    if (!desk) return;
    loadOutbox(desk);
    const timer = setTimeout(() => void flush(desk), 0);
    const onStorage = (event: StorageEvent): void => {
      if (event.key === null || event.key === outboxKey(desk.project, desk.author.uid)) loadOutbox(desk);
    };
    const onOnline = (): void => void flush(desk);
    window.addEventListener('storage', onStorage);
    window.addEventListener('online', onOnline);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('storage', onStorage);
      window.removeEventListener('online', onOnline);
      stopSending();
    };
  }, [desk]);
}
