/** A log: colours, follow, search. Only the lines in view are in the page, so long logs stay smooth. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ChevronDown, ChevronUp, Copy } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type UIEvent } from 'react';
import { logWords as words } from '../../words/deployments.ts';
import { followLog, type LogState } from './follow.ts';
import { highlighted, Lines, search, type Line } from './lines.ts';

const LINE_HEIGHT = 19;
/** Distance from the end, in pixels, at which the view still follows. */
const NEAR_END = 40;

export function LogView({ path, onDone }: { path: string; onDone?: () => void }) {
  const { lines, count, dropped, state } = useLog(path, onDone);
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const [isFollowing, setFollowing] = useState(true);
  const [isCopied, setCopied] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const hits = useMemo(() => search(lines, wanted), [lines, count, wanted]);
  const rows = useVirtualizer({ count, getScrollElement: () => box.current, estimateSize: () => LINE_HEIGHT, overscan: 30 });

  useEffect(() => {
    if (isFollowing && count > 0) rows.scrollToIndex(count - 1, { align: 'end' });
  }, [count, isFollowing, rows]);

  const go = (next: number): void => {
    if (hits.length === 0) return;
    const index = (next + hits.length) % hits.length;
    setAt(index);
    setFollowing(false);
    rows.scrollToIndex(hits[index] ?? 0, { align: 'center' });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    go(event.shiftKey ? at - 1 : at + 1);
  };
  const onScroll = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: UIEvent<HTMLDivElement>): void => {
    setFollowing(scrollHeight - scrollTop - clientHeight < NEAR_END);
  };
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(lines.map(({ text }) => text).join('\n'));
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  const current = hits[at];

  return (
    <section className="log" aria-label={words.title}>
      <div className="log-bar">
        <input className="input" type="search" value={wanted} placeholder={words.search} aria-label={words.search} onKeyDown={onKey} onChange={(event) => (setWanted(event.target.value), setAt(0))} />
        <span className="log-hits" role="status">
          {wanted === '' ? '' : hits.length === 0 ? words.noHits : words.hit(at + 1, hits.length)}
        </span>
        <button type="button" className="icon-button small" aria-label={words.previous} disabled={hits.length === 0} onClick={() => go(at - 1)}>
          <ChevronUp size={15} aria-hidden />
        </button>
        <button type="button" className="icon-button small" aria-label={words.next} disabled={hits.length === 0} onClick={() => go(at + 1)}>
          <ChevronDown size={15} aria-hidden />
        </button>
        <span className="grow" />
        {/* A log that has ended is read from where the reader is. */}
        <button type="button" className="button" hidden={state.is === 'done'} aria-pressed={isFollowing} onClick={() => (setFollowing(true), rows.scrollToIndex(Math.max(0, count - 1), { align: 'end' }))}>
          <ArrowDown size={14} aria-hidden />
          <span>{isFollowing ? words.following : words.follow}</span>
        </button>
        <button type="button" className="button" onClick={() => void copy()}>
          <Copy size={14} aria-hidden />
          <span>{isCopied ? words.copied : words.copy}</span>
        </button>
      </div>
      {dropped > 0 && <p className="log-note">{words.dropped(dropped)}</p>}
      <div className="log-lines" ref={box} onScroll={onScroll} tabIndex={0} role="region" aria-label={words.lines}>
        {count === 0 && <p className="log-note">{state.is === 'done' ? words.empty : state.is === 'refused' ? '' : words.waiting}</p>}
        <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map((row) => {
            const line = lines[row.index];
            return line && <LogLine key={row.key} line={line} number={dropped + row.index + 1} top={row.start} words={wanted} isCurrent={row.index === current} />;
          })}
        </div>
      </div>
      <p className={`log-state ${state.is}`} role="status">
        {stateWords(state)}
      </p>
    </section>
  );
}

function LogLine({ line, number, top, words: wanted, isCurrent }: { line: Line; number: number; top: number; words: string; isCurrent: boolean }) {
  return (
    <div className={`log-line${isCurrent ? ' current' : ''}`} style={{ transform: `translateY(${top}px)` }}>
      <span className="log-number" aria-hidden>
        {number}
      </span>
      <span className="log-text">
        {highlighted(line, wanted).map(({ span, isHit }, at) => {
          const style = [span.colour === null ? '' : `ansi-${span.colour}`, span.bold ? 'bold' : '', span.dim ? 'dim' : ''].join(' ').trim();
          return isHit ? (
            <mark key={at} className={style}>
              {span.text}
            </mark>
          ) : (
            <span key={at} className={style}>
              {span.text}
            </span>
          );
        })}
      </span>
    </div>
  );
}

function stateWords(state: LogState): string {
  switch (state.is) {
    case 'connecting':
      return '';
    case 'live':
      return words.live;
    case 'waiting':
      return words.lost(state.seconds);
    case 'done':
      return words.done(state.status);
    case 'refused':
      return state.reason;
  }
}

/** Text arrives in many small pieces: the page is drawn once for each frame. */
function useLog(path: string, onDone?: () => void): { lines: Line[]; count: number; dropped: number; state: LogState } {
  const [shown, setShown] = useState<{ lines: Line[]; count: number; dropped: number }>({ lines: [], count: 0, dropped: 0 });
  const [state, setState] = useState<LogState>({ is: 'connecting' });
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    const log = new Lines();
    const stop = new AbortController();
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      setShown({ lines: log.lines, count: log.lines.length, dropped: log.dropped });
    };
    const onText = (text: string): void => {
      log.append(text);
      frame ||= requestAnimationFrame(draw);
    };
    const onState = (next: LogState): void => {
      setState(next);
      if (next.is === 'done') done.current?.();
    };
    setShown({ lines: [], count: 0, dropped: 0 });
    void followLog(path, onText, onState, stop.signal);
    return () => {
      stop.abort();
      cancelAnimationFrame(frame);
    };
  }, [path]);
  return { ...shown, state };
}
