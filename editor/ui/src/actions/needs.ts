/** Why an action cannot be done: conditions that several share. */
import type { Ability } from '../api/inspection.ts';
import { known } from '../api/result.ts';
import type { Model } from '../model/model.ts';
import { mayAsk } from '../model/models.ts';
import { inspected } from '../model/selecting.ts';

export function needsSelection(model: Model): true | string {
  return model.selection !== null || 'Select an element first.';
}

/** What a model may try without anything else to be asked first. */
const TRIED: ReadonlySet<Ability> = new Set<Ability>(['text', 'duplicate', 'delete', 'move']);

/** Something the program said about the subject. */
export function needs(ability: Ability): (model: Model) => true | string {
  return (model) => {
    if (model.selection === null) return 'Select an element first.';
    if (model.inspection.is === 'refused') return model.inspection.refusal.reason;
    const facts = inspected(model);
    if (!facts) return 'The source is being read.';
    const able = facts.can[ability];
    // Where it can be done at the component's use, that is the way.
    const elsewhere = model.selection.use === null && model.selection.usages.length > 0;
    return able === true || elsewhere || !TRIED.has(ability) || !mayAsk(model) ? able : true;
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
