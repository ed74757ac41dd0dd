import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { readAudit, type AuditEntry } from '../../api/instance.ts';
import { Part } from '../../forms/Part.tsx';
import { Refusal } from '../../forms/Refusal.tsx';
import { Time } from '../../forms/Time.tsx';
import { Awaited } from '../../shell/states.tsx';
import { instanceWords } from '../../words/instance.ts';
import './audit.css';
import { actionsOf, detailsOf, filtered, nameOf, NO_FILTER, type AuditFilter } from './filter.ts';

const words = instanceWords.audit;

export default function Audit() {
  const audit = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam, signal }) => readAudit(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const [filter, setFilter] = useState<AuditFilter>(NO_FILTER);
  const entries = useMemo(() => audit.data?.pages.flatMap((page) => page.entries) ?? [], [audit.data]);
  const shown = useMemo(() => filtered(entries, filter), [entries, filter]);
  const set = (change: Partial<AuditFilter>): void => setFilter({ ...filter, ...change });
  return (
    <Part title={words.title} help={words.help}>
      <div className="filters" role="search" aria-label={words.title}>
        <input className="input" type="search" placeholder={words.find} aria-label={words.find} value={filter.words} onChange={(event) => set({ words: event.target.value })} />
        <select className="select fit" aria-label={words.action} value={filter.action} onChange={(event) => set({ action: event.target.value })}>
          <option value="">{words.everything}</option>
          {actionsOf(entries).map((action) => (
            <option key={action} value={action}>
              {nameOf(action)}
            </option>
          ))}
        </select>
        <label>
          {words.from}
          <input className="input" type="date" value={filter.from} onChange={(event) => set({ from: event.target.value })} />
        </label>
        <label>
          {words.to}
          <input className="input" type="date" value={filter.to} onChange={(event) => set({ to: event.target.value })} />
        </label>
      </div>
      <Awaited of={audit}>
        {() => (
          <>
            {shown.length === 0 ? (
              <p className="list-empty">{entries.length === 0 ? words.empty : words.none}</p>
            ) : (
              <ol className="audit">
                {shown.map((entry) => (
                  <Entry key={entry.id} entry={entry} />
                ))}
              </ol>
            )}
            <div className="button-row">
              {audit.hasNextPage && (
                <button type="button" className="button" disabled={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
                  {words.more}
                </button>
              )}
              <span className="soft" role="status">
                {words.read(entries.length)}
              </span>
            </div>
            <Refusal of={audit.isFetchNextPageError ? audit.error : null} />
          </>
        )}
      </Awaited>
    </Part>
  );
}

function Entry({ entry: { actor, action, subject, details, at } }: { entry: AuditEntry }) {
  const kind = words.kinds[actor.kind] ?? actor.kind;
  const who = [actor.email ?? '', kind].filter((part) => part !== '').join(' ');
  return (
    <li>
      <span className="audit-when soft">
        <Time at={at} />
      </span>
      <span className="audit-what">
        <b>{nameOf(action)}</b> <span className="soft">{who}</span>
      </span>
      <span className="audit-details">
        <code className="mono">{subject}</code>
        {detailsOf(details).map(([key, value]) => (
          <span key={key}>
            <span className="soft">{key}</span> {value}
          </span>
        ))}
      </span>
    </li>
  );
}
