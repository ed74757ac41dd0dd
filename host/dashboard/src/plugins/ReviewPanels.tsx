/** What stands beside the prototype: the comments, and the panels that plugins bring. Without such panels there are no tabs. */
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useReviewing } from '../review/context.tsx';
import { shownVersion, useReview } from '../review/store.ts';
import { walk } from '../shell/arrows.ts';
import { partWords } from '../words.ts';
import { partsAt, type Part } from './parts.ts';
import './plugins.css';

const PluginFrame = lazy(async () => ({ default: (await import('./PluginFrame.tsx')).PluginFrame }));

export function ReviewPanels({ comments, narrow }: { comments: ReactNode; narrow: boolean }) {
  const { ui, user, project, slot } = useReviewing();
  const parts = partsAt(ui, 'review-panel', { user, canManage: project.canManage, canComment: project.canComment });
  const [chosen, choose] = useState<string | null>(null);
  if (parts.length === 0) return comments;
  const hasComments = slot !== 'absent';
  const shown = parts.find((part) => part.entry === chosen) ?? (hasComments ? undefined : parts[0]);
  return (
    <div className="panel-stack" data-narrow={narrow || undefined}>
      <div className="panel-tabs" role="tablist" aria-label={partWords.panels} onKeyDown={(event) => walk(event, 'tab', ['ArrowRight'], ['ArrowLeft'])}>
        {hasComments && <Tab label={partWords.comments} current={!shown} choose={() => choose(null)} />}
        {parts.map((part) => (
          <Tab key={part.entry} label={part.title} icon={part.icon} current={part === shown} choose={() => choose(part.entry)} />
        ))}
      </div>
      {shown ? <PluginPanel key={shown.entry} part={shown} /> : comments}
    </div>
  );
}

function Tab({ label, icon = null, current, choose }: { label: string; icon?: string | null; current: boolean; choose: () => void }) {
  return (
    <button type="button" role="tab" className="panel-tab" aria-selected={current} tabIndex={current ? 0 : -1} onClick={choose}>
      {icon !== null && <img className="plugin-icon" src={icon} alt="" />}
      {label}
    </button>
  );
}

/** A plugin's panel about the version in view. */
function PluginPanel({ part }: { part: Part }) {
  const { project, user, versions } = useReviewing();
  const at = useReview(shownVersion);
  const number = versions.find(({ deploymentId }) => deploymentId === at)?.number ?? null;
  return (
    <aside id="comments" className="panel" aria-label={part.title} role="tabpanel" tabIndex={-1}>
      <Suspense fallback={null}>
        <PluginFrame part={part} user={user} fill project={{ id: project.id, slug: project.slug, name: project.name }} deployment={at === null ? null : { id: at, number }} />
      </Suspense>
    </aside>
  );
}
