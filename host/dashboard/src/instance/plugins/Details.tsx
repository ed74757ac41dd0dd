import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dropEvent, getPluginHistory, listMissedEvents, retryEvent, type Plugin } from '../../api/plugins.ts';
import { Refusal } from '../../forms/Refusal.tsx';
import { Time } from '../../forms/Time.tsx';
import { useChange } from '../../forms/useChange.ts';
import { pluginWords as words } from '../../words/plugins.ts';
import { Config } from './Config.tsx';
import { Limits } from './Limits.tsx';

/** Everything about a slot that its head leaves out. Asked for when somebody opens it. */
export function Details({ plugin }: { plugin: Plugin }) {
  const { slot } = plugin;
  return (
    <div className="slot-details">
      <Part title={words.permissions}>
        {!plugin.may ? (
          <p className="soft">{words.permissionsUnknown}</p>
        ) : plugin.may.length === 0 ? (
          <p className="soft">{words.noPermissions}</p>
        ) : (
          <ul className="powers">
            {plugin.may.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </Part>
      <Part title={words.health}>
        <Health plugin={plugin} />
      </Part>
      <Part title={words.settings}>
        <Config slot={slot} />
      </Part>
      <Part title={words.limits} help={words.limitsHelp}>
        <Limits slot={slot} />
      </Part>
      <Events slot={slot} />
      <History slot={slot} />
    </div>
  );
}

function Part({ title, help, children }: { title: string; help?: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {help !== undefined && <p className="help">{help}</p>}
      {children}
    </section>
  );
}

function Health({ plugin: { calls, errors, p99Ms, memoryBytes, instances, jobs } }: { plugin: Plugin }) {
  return (
    <>
      <p>
        {[calls === null || calls === undefined ? '' : words.calls(calls, errors ?? 0), p99Ms ? words.p99(p99Ms) : '', memoryBytes ? words.memory(memoryBytes, instances ?? 0) : ''].filter((part) => part !== '').join(' · ')}
      </p>
      {jobs.map(({ name, when, ranAt, dueAt, failures, reason }) => (
        <p key={name}>
          <b>{name}</b>{' '}
          <span className="soft">
            {when}
            {ranAt && (
              <>
                {' '}
                · {words.ran} <Time at={ranAt} />
              </>
            )}
            {dueAt && (
              <>
                {' '}
                · {words.due} <Time at={dueAt} />
              </>
            )}
          </span>
          {failures > 0 && (
            <span className="bad">
              {' '}
              {words.failures(failures)}
              {reason ? `: ${reason}` : ''}
            </span>
          )}
        </p>
      ))}
    </>
  );
}

function Events({ slot }: { slot: string }) {
  const events = useQuery({ queryKey: ['plugin-details', slot, 'events'], queryFn: ({ signal }) => listMissedEvents(slot, signal) });
  const retry = useChange((id: number) => retryEvent(slot, id), ['plugin-details']);
  const drop = useChange((id: number) => dropEvent(slot, id), ['plugin-details']);
  const list = events.data ?? [];
  if (list.length === 0) return null;
  return (
    <Part title={words.events}>
      <ul className="people">
        {list.map(({ id, topic, attempts, reason, isRetried }) => (
          <li key={id}>
            <span className="name">{topic}</span>
            <span className="soft">
              {words.attempts(attempts)} · {reason}
            </span>
            <button type="button" className="button" disabled={isRetried === true || retry.isPending} onClick={() => retry.mutate(id)}>
              {isRetried ? words.retrying : words.retry}
            </button>
            <button type="button" className="button" disabled={drop.isPending} onClick={() => drop.mutate(id)}>
              {words.drop}
            </button>
          </li>
        ))}
      </ul>
      <Refusal of={retry.error ?? drop.error} />
    </Part>
  );
}

function History({ slot }: { slot: string }) {
  const history = useQuery({ queryKey: ['plugin-details', slot, 'history'], queryFn: ({ signal }) => getPluginHistory(slot, signal) });
  if (!history.data) return null;
  const { present, before } = history.data;
  const all = [...(present ? [present] : []), ...before];
  return (
    <Part title={words.history}>
      <ul className="people">
        {all.map((past, at) => (
          <li key={`${past.sha256} ${at}`}>
            <span className="name">{past.version}</span>
            <span className="soft">
              <code className="mono">{past.sha256.slice(0, 12)}</code> {past.bundled ? words.bundled : past.source ? words.from(past.source) : ''}
            </span>
            {at === 0 && present && <span className="badge">{words.present}</span>}
          </li>
        ))}
      </ul>
    </Part>
  );
}
