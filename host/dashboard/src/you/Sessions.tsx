import { useQuery } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { endSession, listSessions, signOutEverywhere, type Session } from '../api/you.ts';
import { Confirm } from '../forms/Confirm.tsx';
import { Part } from '../forms/Part.tsx';
import { Refusal } from '../forms/Refusal.tsx';
import { Time } from '../forms/Time.tsx';
import { useChange } from '../forms/useChange.ts';
import { Awaited } from '../shell/states.tsx';
import { youWords } from '../words/you.ts';

const words = youWords.sessions;
const PHONES = /iphone|ipad|android|mobile/i;

/** Whoever ended their own session is signed out: the page has nothing to show any more. */
const leave = (): void => location.assign('/');

export function Sessions() {
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: ({ signal }) => listSessions(signal) });
  const [isAsking, setAsking] = useState(false);
  const end = useChange(
    (session: Session) => endSession(session.id),
    ['sessions'],
    (_, { current }) => (current ? leave() : words.ended),
  );
  const endAll = useChange(signOutEverywhere, [], leave);
  return (
    <Part
      title={words.title}
      help={words.help}
      action={
        <button type="button" className="button" onClick={() => setAsking(true)}>
          {words.all}
        </button>
      }
    >
      <Refusal of={end.error} />
      <Awaited of={sessions}>
        {(list) => (
          <ul className="people sessions">
            {list.map((session) => {
              const browser = session.browser ?? words.unknown;
              return (
                <li key={session.id}>
                  {PHONES.test(browser) ? <Smartphone size={17} aria-hidden /> : <Monitor size={17} aria-hidden />}
                  <span className="name">
                    {browser} {session.current && <span className="badge good">{words.this}</span>}
                  </span>
                  <span className="soft">
                    {session.lastSeenAt && (
                      <>
                        {words.seen} <Time at={session.lastSeenAt} />
                      </>
                    )}
                    {session.createdAt && (
                      <>
                        {' '}
                        · {words.since} <Time at={session.createdAt} />
                      </>
                    )}
                  </span>
                  <button type="button" className="button" aria-label={session.current ? words.endThis : words.endOf(browser)} disabled={end.isPending} onClick={() => end.mutate(session)}>
                    {session.current ? words.endThis : words.end}
                  </button>
                </li>
              );
            })}
          </ul>
        )}
      </Awaited>
      {isAsking && (
        <Confirm title={words.allTitle} action={words.allNow} isBusy={endAll.isPending} error={endAll.error} onConfirm={() => endAll.mutate(undefined)} onClose={() => setAsking(false)}>
          {words.allHelp}
        </Confirm>
      )}
    </Part>
  );
}
