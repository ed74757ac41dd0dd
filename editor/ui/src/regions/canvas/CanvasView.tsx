import { TriangleAlert, X } from 'lucide-react';
import type { CanvasState, ListedPlan } from '../../api/canvas.ts';
import { zoomFit, zoomFull, zoomIn, zoomOut } from '../../actions/zoom.ts';
import { ActionIcon } from '../../components/ActionButton.tsx';
import { Remotely } from '../../components/Remotely.tsx';
import { loadCanvas, loadPlan, showCanvas, showPlan } from '../../model/canvas.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';
import { PagesView } from './PagesView.tsx';
import { PlanView } from './PlanView.tsx';

/** Pages of the prototype at several widths, as pictures; and the plans of such pictures. */
export default function CanvasView() {
  const editor = useEditor();
  const plans = useModel((model) => model.plans);
  const plan = useModel((model) => model.plan);
  const scale = useModel((model) => model.board.scale);
  return (
    <section className="layer board" aria-label={messages.canvas}>
      <div className="panel-bar">
        <h2 className="title">{messages.canvas}</h2>
        <span className="gap" />
        <span className="meta">{Math.round(scale * 100)} %</span>
        {[zoomOut, zoomIn, zoomFull, zoomFit].map((action) => <ActionIcon key={action.id} action={action} small />)}
        <button type="button" className="icon-button small" aria-label={messages.closeCanvas} title={messages.closeCanvas} onClick={() => showCanvas(editor, false)}>
          <X size={14} aria-hidden />
        </button>
      </div>
      <Remotely of={plans} loading={messages.readingPlans} failed={messages.failedPlans} again={() => loadCanvas(editor)}>
        {(state) => (
          <div className="board-parts">
            <Contents state={state} shown={plan?.name ?? null} />
            <div className="board-main">
              {plan === null ? (
                <PagesView />
              ) : (
                <Remotely of={plan.value} loading={messages.readingPlans} failed={messages.failedPlans} again={() => loadPlan(editor, plan.name)}>
                  {(value) => <PlanView key={value.name} plan={value} />}
                </Remotely>
              )}
            </div>
          </div>
        )}
      </Remotely>
    </section>
  );
}

/** The pages as they are, and the plans. */
function Contents({ state: { plans, running }, shown }: { state: CanvasState; shown: string | null }) {
  const editor = useEditor();
  return (
    <nav className="contents" aria-label={messages.canvasShows}>
      <button type="button" aria-current={shown === null} onClick={() => void showPlan(editor, null)}>
        {messages.pagesNow}
      </button>
      <h3>{messages.plans}</h3>
      {plans.length === 0 && <p className="help">{messages.noPlans}</p>}
      {plans.map((plan) => (
        <button type="button" key={plan.name} aria-current={shown === plan.name} onClick={() => void showPlan(editor, plan.name)}>
          <span className="text">{plan.name}</span>
          <Standing plan={plan} progress={running?.plan === plan.name ? messages.running(running.done, running.of) : null} />
        </button>
      ))}
    </nav>
  );
}

function Standing({ plan: { problem, run }, progress }: { plan: ListedPlan; progress: string | null }) {
  if (progress !== null) return <span className="meta">{progress}</span>;
  if (problem === null) return <span className="meta">{messages.planState(run)}</span>;
  return (
    <span className="meta">
      <TriangleAlert size={11} aria-hidden /> {messages.brokenPlan}
    </span>
  );
}
