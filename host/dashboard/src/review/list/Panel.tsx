import { Loading, State } from '@kit/State.tsx';
import { CloudOff, ListChecks, Search, X } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { asApiError } from '../../api/error.ts';
import { walk } from '../../shell/arrows.ts';
import { Failed } from '../../shell/states.tsx';
import { SlotFailed } from '../../shell/Slot.tsx';
import { canSignIn, meQuery } from '../../api/ui.ts';
import { useQuery } from '@tanstack/react-query';
import { reviewWords } from '../../words.ts';
import { resolveMany, setPanel } from '../commands.ts';
import { useReviewing } from '../context.tsx';
import { FILTERS, type Filter } from '../model/filters.ts';
import { useReview } from '../store.ts';
import { CommentList } from './CommentList.tsx';
import { LostAnswers } from './LostAnswers.tsx';
import { useListed } from './useListed.ts';

/** The list of comments; at narrow widths a sheet over the prototype. */
export default function Panel({ narrow }: { narrow: boolean }) {
  const around = useReviewing();
  const { slot, loaded, error, readAgain, mayComment, user, ui } = around;
  const { data: me } = useQuery(meQuery);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (narrow) panel.current?.focus();
  }, [narrow]);
  const key = (event: KeyboardEvent): void => {
    if (narrow && event.key === 'Escape' && !event.defaultPrevented) setPanel(false);
  };
  return (
    <aside ref={panel} id="comments" className="panel" aria-label={reviewWords.comments} tabIndex={-1} onKeyDown={key}>
      {narrow && <Grabber />}
      {slot === 'absent' ? (
        <div className="panel-state">
          <State title={reviewWords.slotAbsent}>{reviewWords.slotAbsentHelp}</State>
        </div>
      ) : (
        <>
          {slot === 'failed' && <SlotFailed slot="comments" />}
          <Head narrow={narrow} />
          {!mayComment && (
            <p className="panel-note">
              {reviewWords.readOnly}
              {user === null && canSignIn(me, ui) && (
                <>
                  {' '}
                  <a href={`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`}>{reviewWords.signIn}</a>
                </>
              )}
            </p>
          )}
          {!loaded && error === null && <Loading what={reviewWords.loading} />}
          {!loaded && error !== null && <Failed error={asApiError(error)} title={reviewWords.failed} again={readAgain} />}
          {loaded && error !== null && (
            <p className="panel-note">
              <CloudOff size={13} aria-hidden /> {asApiError(error).reason}
            </p>
          )}
          {loaded && <LostAnswers />}
          {loaded && <Listed />}
        </>
      )}
    </aside>
  );
}

function Head({ narrow }: { narrow: boolean }) {
  const around = useReviewing();
  const filter = useReview((state) => state.filter);
  const query = useReview((state) => state.query);
  const chosen = useReview((state) => state.chosen);
  const { counts } = useListed(around);
  return (
    <div className="panel-head">
      <div className="panel-search">
        <Search size={14} aria-hidden />
        <input
          type="search"
          className="input"
          aria-label={reviewWords.search}
          placeholder={reviewWords.searching}
          value={query}
          onChange={(event) => useReview.setState({ query: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            if (query === '') event.currentTarget.blur();
            else useReview.setState({ query: '' });
          }}
        />
        {around.mayComment && (
          <button type="button" className="icon-button" aria-pressed={chosen !== null} aria-label={reviewWords.choose} title={reviewWords.choose} onClick={() => useReview.setState({ chosen: chosen === null ? new Set() : null })}>
            <ListChecks size={16} aria-hidden />
          </button>
        )}
        {narrow && (
          <button type="button" className="icon-button" aria-label={reviewWords.hidePanel} onClick={() => setPanel(false)}>
            <X size={16} aria-hidden />
          </button>
        )}
      </div>
      <div className="filters" role="radiogroup" aria-label={reviewWords.filters} onKeyDown={(event) => walk(event, 'radio', ['ArrowRight', 'ArrowDown'], ['ArrowLeft', 'ArrowUp'])}>
        {FILTERS.map((each) => (
          <button key={each} type="button" role="radio" className="filter" aria-checked={each === filter} tabIndex={each === filter ? 0 : -1} onClick={() => choose(each)}>
            {reviewWords.filter[each]}
            {counts[each] > 0 && (each === filter || each === 'open' || each === 'detached') && <span className="filter-count">{counts[each]}</span>}
          </button>
        ))}
      </div>
    </div>
  );
}

function choose(filter: Filter): void {
  useReview.setState({ filter, selected: null, replying: false });
}

function Listed() {
  const around = useReviewing();
  const { comments } = useListed(around);
  const filter = useReview((state) => state.filter);
  const query = useReview((state) => state.query);
  if (comments.length > 0) {
    return (
      <>
        <CommentList comments={comments} />
        <ChosenBar />
      </>
    );
  }
  if (around.comments.length === 0 && query === '') {
    return (
      <div className="panel-state">
        <State title={reviewWords.empty}>{reviewWords.emptyHelp(around.mayComment)}</State>
      </div>
    );
  }
  return (
    <div className="panel-state">
      <State
        title={query === '' ? reviewWords.nothing[filter] : reviewWords.notFound(query)}
        actions={
          query === '' ? undefined : (
            <button type="button" className="button" onClick={() => useReview.setState({ query: '' })}>
              {reviewWords.clear}
            </button>
          )
        }
      />
    </div>
  );
}

/** What can be done with several comments at once. */
function ChosenBar() {
  const around = useReviewing();
  const chosen = useReview((state) => state.chosen);
  const { comments } = useListed(around);
  if (chosen === null) return null;
  const picked = around.comments.filter(({ id, pending }) => chosen.has(id) && !pending);
  const reopening = picked.length > 0 && picked.every(({ resolved }) => resolved);
  const act = async (): Promise<void> => {
    const ids = picked.filter(({ resolved }) => resolved === reopening).map(({ id }) => id);
    if (await resolveMany(around, ids, !reopening)) useReview.setState({ chosen: null });
  };
  return (
    <div className="chosen-bar" role="group" aria-label={reviewWords.choose}>
      <span>{reviewWords.chosen(picked.length)}</span>
      <span className="review-gap" />
      <button type="button" className="button plain" onClick={() => useReview.setState({ chosen: new Set(comments.filter(({ pending }) => !pending).map(({ id }) => id)) })}>
        {reviewWords.chooseAll}
      </button>
      <button type="button" className="button plain" onClick={() => useReview.setState({ chosen: null })}>
        {reviewWords.done}
      </button>
      <button type="button" className="button primary" disabled={picked.length === 0} onClick={() => void act()}>
        {reopening ? reviewWords.reopenChosen : reviewWords.resolveChosen}
      </button>
    </div>
  );
}

/** The sheet's upper edge: dragging it down closes the sheet. */
function Grabber() {
  const press = (event: PointerEvent<HTMLDivElement>): void => {
    const from = event.clientY;
    const sheet = event.currentTarget.parentElement;
    event.currentTarget.setPointerCapture(event.pointerId);
    const element = event.currentTarget;
    const move = (moved: globalThis.PointerEvent): void => sheet?.style.setProperty('translate', `0 ${Math.max(0, moved.clientY - from)}px`);
    const end = (ended: globalThis.PointerEvent): void => {
      element.removeEventListener('pointermove', move);
      sheet?.style.removeProperty('translate');
      if (ended.clientY - from > 80) setPanel(false);
    };
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', end, { once: true });
    element.addEventListener('pointercancel', end, { once: true });
  };
  return <div className="grabber" onPointerDown={press} aria-hidden />;
}
