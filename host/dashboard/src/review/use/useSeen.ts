import { useEffect, useRef } from 'react';
import { markSeen } from '../../api/comments.ts';
import type { Reviewing } from '../context.tsx';
import { useReview } from '../store.ts';

/** A list that is looked at for so long counts as read, in milliseconds. */
const READING = 2_500;

/** Tells the server what this account has seen. The dots stay on the page until the comments are opened. */
export function useSeen({ project, user, comments }: Reviewing): void {
  const panel = useReview((state) => state.panel);
  const told = useRef('');
  useEffect(() => {
    const unread = comments.filter((comment) => comment.unread).map(({ id }) => id);
    if (unread.length > 0) useReview.setState((state) => (unread.every((id) => state.unread.has(id) || id === state.selected) ? state : { unread: new Set([...state.unread, ...unread.filter((id) => id !== state.selected)]) }));
    if (!user || !panel || unread.length === 0) return;
    const known = comments.filter(({ pending }) => !pending);
    const number = known.reduce((most, comment) => Math.max(most, comment.number), 0);
    const times = known.flatMap(({ createdAt, replies }) => [createdAt, ...replies.filter(({ pending }) => !pending).map((reply) => reply.createdAt)]);
    const at = times.reduce((latest, time) => (time > latest ? time : latest), '');
    const key = `${number} ${at}`;
    if (at === '' || told.current === key) return;
    const timer = setTimeout(() => {
      if (document.visibilityState !== 'visible') return;
      told.current = key;
      void markSeen(project.id, number, at).catch(() => (told.current = ''));
    }, READING);
    return () => clearTimeout(timer);
  }, [comments, panel, project.id, user]);
}
