import { timeAgo } from '@kit/times.ts';
import { History } from 'lucide-react';
import { useState, type DragEvent } from 'react';
import { PageLink } from '../shell/PageLink.tsx';
import { say } from '../shell/toasts.tsx';
import { useUpload } from '../deployments/useUpload.ts';
import { projectsWords as words, shellWords } from '../words.ts';
import { uploadWords } from '../words/deployments.ts';
import { Cover, usePreviewOf } from './Cover.tsx';
import type { Listed } from './model.ts';
import { Uploading } from './Uploading.tsx';

export interface Has {
  comments: boolean;
  deployments: boolean;
  /** Prototypes have origins of their own. */
  isolated: boolean;
}

/** One project. A build folder that is dropped on it becomes its live version. */
export function Card({ of: { project, comments, deployments, activeAt }, has, onUploaded }: { of: Listed; has: Has; onUploaded: () => void }) {
  const steps = useUpload(project, () => {
    say(uploadWords.live(project.name));
    onUploaded();
  });
  const takes = has.deployments && project.canManage && !steps.isBusy;
  const [over, dropHandlers] = useCardDrop(takes, steps.drop);
  const isEmpty = project.activeDeploymentId === null;
  const active = new Date(activeAt).toISOString();
  const [previewed, previewHandlers] = usePreviewOf(project.id, !isEmpty && steps.state.is === 'idle');
  return (
    <li className={`card${over ? ' over' : ''}`} {...dropHandlers} {...previewHandlers}>
      <Cover project={project} cover={deployments?.live?.cover} live={previewed} isolated={has.isolated}>
        {isEmpty && <p className="cover-empty">{takes ? words.dropFirst : words.nothing}</p>}
        {over ? <div className="cover-over">{words.drop}</div> : <Uploading steps={steps} />}
      </Cover>
      <div className="card-body">
        <h2>
          <PageLink className="card-link" href={`/projects/${project.slug}`}>
            {project.name}
          </PageLink>
        </h2>
        <p className="card-facts">
          <span>{shellWords.access[project.access]}</span>
          {deployments?.building != null && <span className="badge accent">{words.building}</span>}
        </p>
        <div className="card-foot">
          {has.comments &&
            (comments && comments.open + comments.unread > 0 ? (
              <>
                {comments.unread > 0 && (
                  <span className="badge accent" title={words.unreadLong(comments.unread)}>
                    {words.unread(comments.unread)}
                  </span>
                )}
                <span title={words.openLong(comments.open)}>{words.open(comments.open)}</span>
              </>
            ) : (
              <span className="faint">{words.noComments}</span>
            ))}
          <time className="card-when" dateTime={active} title={words.active(new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(activeAt))}>
            {timeAgo(active)}
          </time>
          {has.deployments && (
            <PageLink className="icon-button small" href={`/projects/${project.slug}/deployments`} aria-label={words.deployments(project.name)} title={words.deployments(project.name)}>
              <History size={15} aria-hidden />
            </PageLink>
          )}
        </div>
      </div>
    </li>
  );
}

/** Whether files hover over the card, and the handlers for it. */
function useCardDrop(takes: boolean, drop: (data: DataTransfer) => void): [boolean, object] {
  const [depth, setDepth] = useState(0);
  const isFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');
  const handlers = {
    onDragEnter: (event: DragEvent) => isFiles(event) && setDepth((now) => now + 1),
    onDragLeave: (event: DragEvent) => isFiles(event) && setDepth((now) => Math.max(0, now - 1)),
    onDragOver: (event: DragEvent) => {
      if (!isFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = takes ? 'copy' : 'none';
    },
    onDrop: (event: DragEvent) => {
      if (!isFiles(event)) return;
      event.preventDefault();
      setDepth(0);
      if (takes) drop(event.dataTransfer);
    },
  };
  return [takes && depth > 0, handlers];
}
