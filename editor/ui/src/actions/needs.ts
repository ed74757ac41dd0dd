/** Why an action cannot be done: conditions that several share. */
import type { Ability } from '../api/inspection.ts';
import { known } from '../api/result.ts';
import type { Model } from '../model/model.ts';
import { inspected } from '../model/selecting.ts';

export function needsSelection(model: Model): true | string {
  return model.selection !== null || 'Select an element first.';
}

/** Something the program said about the subject. */
export function needs(ability: Ability): (model: Model) => true | string {
  return (model) => {
    if (model.selection === null) return 'Select an element first.';
    if (model.inspection.is === 'refused') return model.inspection.refusal.reason;
    return inspected(model)?.can[ability] ?? 'The source is being read.';
  };
}

export function needsChanges(model: Model): true | string {
  const git = known(model.git);
  if (!git) return 'Git has not answered yet.';
  return git.files.length > 0 || 'Nothing has changed since the last commit.';
}

export function needsPage(model: Model): true | string {
  return model.page.ready || 'The prototype is not running yet.';
}
