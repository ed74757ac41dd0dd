import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { beforeEdit } from '../../actions/before.ts';
import { planDelete, planRename, planRun, planShots, planStop } from '../../actions/canvas.ts';
import { readableKeys } from '../../actions/keys.ts';
import { keptAddress, type Kept, type Plan, type ShotRun } from '../../api/canvas.ts';
import { known } from '../../api/result.ts';
import { ActionButton, ActionIcon } from '../../components/ActionButton.tsx';
import { changeBoard, runningOf } from '../../model/canvas.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { Segments } from '@kit/Segments.tsx';
import { State } from '@kit/State.tsx';
import { messages } from '../../messages.ts';
import { Desk } from './Desk.tsx';
import { Figure, Sheet } from './Sheet.tsx';

type Comparison = 'beside' | 'one';

/** A plan: its last run, before beside after. */
export function PlanView({ plan }: { plan: Plan }) {
  const [comparison, setComparison] = useState<Comparison>('beside');
  const missing = useModel((model) => known(model.plans)?.browser ?? null);
  const { run, problem, shots } = plan;
  const twice = run?.shots.some(({ before, after }) => before !== null && after !== null) === true;
  return (
    <>
      <PlanTools plan={plan} comparison={comparison} compare={twice ? setComparison : null} />
      {missing !== null && (
        <p className="notice warn">
          <TriangleAlert size={13} aria-hidden />
          {missing}
        </p>
      )}
      {problem !== null ? (
        <State title={messages.brokenPlan} tone="bad">
          {messages.brokenKey(problem.key, problem.words)}
        </State>
      ) : run === null ? (
        <State title={messages.neverRun}>{messages.neverRunHelp(shots?.length ?? 0)}</State>
      ) : (
        <Pictures name={plan.name} shots={run.shots} comparison={twice ? comparison : 'one'} />
      )}
    </>
  );
}

function PlanTools({ plan: { name, run }, comparison, compare }: { plan: Plan; comparison: Comparison; compare: ((comparison: Comparison) => void) | null }) {
  const editor = useEditor();
  const running = useModel(runningOf);
  const follows = useModel((model) => model.board.follows);
  const own = running?.plan === name ? running : null;
  return (
    <div className="board-tools">
      <h3 className="title">{name}</h3>
      {own === null ? <ActionButton action={planRun} tone="primary" /> : <ActionButton action={planStop} />}
      {own !== null && (
        <span className="waits" role="status">
          <span className="spinner" aria-hidden />
          {messages.running(own.done, own.of)}
        </span>
      )}
      {own === null && run?.stale === true && <span className="badge warn">{messages.runAgain}</span>}
      <label className="check">
        <input type="checkbox" checked={follows} onChange={(event) => changeBoard(editor, { follows: event.target.checked })} />
        {messages.follows}
      </label>
      <span className="gap" />
      {compare && (
        <Segments
          label={messages.comparison}
          value={comparison}
          options={(['beside', 'one'] as const).map((value) => ({ value, label: messages.comparisons[value], show: <span>{value === 'beside' ? `${messages.pictureBefore} | ${messages.pictureAfter}` : readableKeys('B')}</span> }))}
          onChange={(value) => compare(value as Comparison)}
        />
      )}
      {compare && comparison === 'one' && <ActionIcon action={beforeEdit} small />}
      <ActionIcon action={planShots} small />
      <ActionIcon action={planRename} small />
      <ActionIcon action={planDelete} small />
    </div>
  );
}

function Pictures({ name, shots, comparison }: { name: string; shots: readonly ShotRun[]; comparison: Comparison }) {
  const showsBefore = useModel((model) => model.showsBefore !== null);
  const rows = comparison === 'beside' ? shots.map(({ width }) => [width, width]) : [shots.map(({ width }) => width)];
  return (
    <Desk rows={rows}>
      {(scale) => {
        const figures = shots.map((shot) => (
          <Figure key={`${shot.page} ${shot.width} ${shot.scheme}`} shot={shot} note={<Outcome shot={shot} />}>
            {shot.problem !== null && <p className="notice bad">{shot.problem}</p>}
            {comparison === 'beside' ? (
              <div className="pair">
                {shot.before && <One plan={name} shot={shot} kept={shot.before} which={messages.pictureBefore} scale={scale} />}
                {shot.after && <One plan={name} shot={shot} kept={shot.after} which={messages.pictureAfter} scale={scale} />}
              </div>
            ) : (
              <Either plan={name} shot={shot} before={showsBefore} scale={scale} />
            )}
          </Figure>
        ));
        return comparison === 'beside' ? figures : <div className="row">{figures}</div>;
      }}
    </Desk>
  );
}

/** The picture after, or while it is asked for the one before: in the same place, so that one sees what moves. Both are there, so that nobody waits. */
function Either({ plan, shot, before, scale }: { plan: string; shot: ShotRun; before: boolean; scale: number }) {
  const showsBefore = shot.after === null || (before && shot.before !== null);
  return (
    <>
      {shot.before && (
        <div hidden={!showsBefore}>
          <One plan={plan} shot={shot} kept={shot.before} which={messages.pictureBefore} scale={scale} />
        </div>
      )}
      {shot.after && (
        <div hidden={showsBefore}>
          <One plan={plan} shot={shot} kept={shot.after} which={messages.pictureAfter} scale={scale} />
        </div>
      )}
    </>
  );
}

function One({ plan, shot, kept, which, scale }: { plan: string; shot: ShotRun; kept: Kept; which: string; scale: number }) {
  return (
    <div className="one">
      <p className="meta">
        {which}
        {kept.isCut && `. ${messages.cut}`}
      </p>
      <Sheet key={kept.picture} shot={shot} name={`${which}: ${messages.shotName(shot)}`} address={keptAddress(plan, kept)} scale={scale} waiting={messages.readingPicture} area={shot.difference?.area ?? null} size={kept} />
    </div>
  );
}

function Outcome({ shot: { difference, problem } }: { shot: ShotRun }) {
  if (problem !== null) return null;
  if (difference === null) return <span className="badge">{messages.newPicture}</span>;
  return difference.share === 0 ? <span className="badge good">{messages.same}</span> : <span className="badge warn">{messages.differs(difference.share)}</span>;
}
