/** What is done on the canvas. */
import { known } from '../api/result.ts';
import { runningOf, runPlan, stopPlan, takeAgain } from '../model/canvas.ts';
import type { Editor } from '../model/editor.ts';
import type { Model } from '../model/model.ts';
import { messages } from '../messages.ts';
import { action, type Action } from './action.ts';

const hidden = ({ canvas }: Model): boolean => !canvas;

function needsPlan({ plan }: Model): true | string {
  return plan !== null || 'Choose a plan first.';
}

function needsBrowser({ plans }: Model): true | string {
  return known(plans)?.browser ?? true;
}

/** A plan that is run stays what it is. */
function needsRest(model: Model): true | string {
  const running = runningOf(model)?.plan;
  return running !== undefined && running === model.plan?.name ? `“${running}” is being run.` : needsPlan(model);
}

export const canvasAgain = action({
  id: 'canvas-again',
  label: 'Take the pictures of the canvas again',
  group: 'View',
  hidden,
  available: (model) => (model.plan === null ? needsBrowser(model) : 'A plan is shown: run it.'),
  perform: takeAgain,
});

export const planRun = action({
  id: 'plan-run',
  label: 'Run the plan',
  group: 'View',
  hidden,
  available: (model) => {
    const plan = needsPlan(model);
    if (plan !== true) return plan;
    const running = runningOf(model);
    return running === null ? needsBrowser(model) : `“${running.plan}” is being run.`;
  },
  perform: (editor) => withPlan(editor, runPlan),
});

export const planStop = action({
  id: 'plan-stop',
  label: 'Stop the run',
  group: 'View',
  hidden,
  available: (model) => runningOf(model) !== null || 'No plan is being run.',
  perform: async (editor) => {
    const running = runningOf(editor.store.getState());
    if (running) await stopPlan(editor, running.plan);
  },
});

function dialog(is: 'plan-new' | 'plan-shots' | 'plan-rename' | 'plan-delete', label: string, available: Action['available']): Action {
  return action({ id: is, label, group: 'View', hidden, available, perform: ({ store }) => store.setState({ dialog: { is } }) });
}

export const planNew = dialog('plan-new', 'Make a plan of what is shown…', ({ plan }) => plan === null || 'Show the pages first.');
export const planShots = dialog('plan-shots', 'Pictures of the plan…', (model) => {
  const rest = needsRest(model);
  const plan = model.plan ? known(model.plan.value) : null;
  return rest === true && plan?.shots === null ? messages.brokenPlan : rest;
});
export const planRename = dialog('plan-rename', 'Rename the plan…', needsRest);
export const planDelete = dialog('plan-delete', 'Delete the plan…', needsRest);

async function withPlan(editor: Editor, act: (editor: Editor, name: string) => Promise<void>): Promise<void> {
  const { plan } = editor.store.getState();
  if (plan) await act(editor, plan.name);
}
