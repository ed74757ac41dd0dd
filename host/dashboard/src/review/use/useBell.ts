import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { openBell } from '../../api/comments.ts';
import { projectQuery } from '../../api/projects.ts';
import type { Reviewing } from '../context.tsx';
import { listen, waitOrOnline } from '../model/live.ts';
import { commentsQuery, participantsQuery } from '../queries.ts';
import { useReview } from '../store.ts';

/** Bells within this time are one: a list of thousands is not read ten times a second. In milliseconds. */
const SETTLE = 60;
/** The shortest time between two readings. */
const MIN_INTERVAL = 400;

/** Reads the comments again whenever the server says that something changed. */
export function useBell({ project: { id, slug }, slot }: Reviewing): void {
  const client = useQueryClient();
  useEffect(() => {
    if (slot === 'absent') return;
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = 0;
    const read = (): void => {
      last = Date.now();
      timer = undefined;
      void client.invalidateQueries({ queryKey: commentsQuery(id).queryKey });
      void client.invalidateQueries({ queryKey: participantsQuery(id).queryKey });
      void client.invalidateQueries({ queryKey: projectQuery(slug).queryKey });
    };
    const onBell = (): void => {
      timer ??= setTimeout(read, Math.max(SETTLE, last + MIN_INTERVAL - Date.now()));
    };
    const channel = 'BroadcastChannel' in window ? new BroadcastChannel(`galley:bell:${id}`) : undefined;
    const around = { open: (signal: AbortSignal) => openBell(id, signal), locks: navigator.locks as LockManager | undefined, channel, wait: waitOrOnline };
    void listen(`galley:bell:${id}`, { onBell, onConnected: (live) => useReview.setState({ live }) }, around, ended.signal);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [client, id, slug, slot]);
}
