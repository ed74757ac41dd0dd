import { GitCompareArrows, MoreHorizontal } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { Deployment } from '../api/deployments.ts';
import type { Project } from '../api/projects.ts';
import { Time } from '../forms/Time.tsx';
import { PageLink } from '../shell/PageLink.tsx';
import { deploymentWords as words } from '../words/deployments.ts';
import { compareAddress, nameOf, openAddress, reviewAddress, size } from './facts.ts';

/** One version in the history. */
export function Row({ project, deployment, liveId, isBusy, onActivate, onDelete }: { project: Project; deployment: Deployment; liveId: string | null; isBusy: boolean; onActivate: () => void; onDelete: () => void }) {
  const name = nameOf(deployment);
  const { deploymentId: id, status, active } = deployment;
  const isReady = status === 'ready';
  const canCompare = isReady && liveId !== null && liveId !== id;
  return (
    <tr>
      <td>
        <span className="version">
          <PageLink className="name" href={`/projects/${project.slug}/deployments/${id}`}>
            {name}
          </PageLink>
          <StateBadge deployment={deployment} />
          {deployment.cover?.title && <span className="soft title">{deployment.cover.title}</span>}
        </span>
      </td>
      <td>
        <Source deployment={deployment} />
      </td>
      <td>{deployment.createdByName ?? <span className="soft">{words.somebody}</span>}</td>
      <td>
        <Time at={deployment.createdAt} />
      </td>
      <td className="soft">{deployment.fileCount > 0 ? `${size(deployment.sizeBytes)}, ${words.files(deployment.fileCount)}` : ''}</td>
      <td className="end">
        <div className="button-row">
          {isReady && !active && project.canManage && (
            <button type="button" className="button" disabled={isBusy} onClick={onActivate}>
              {words.activate}
            </button>
          )}
          <DropdownMenu.Root>
            <DropdownMenu.Trigger className="icon-button" aria-label={words.actions(name)}>
              <MoreHorizontal size={16} aria-hidden />
            </DropdownMenu.Trigger>
            <DropdownMenu.Portal>
              <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
                {isReady && (
                  <DropdownMenu.Item className="menu-item" asChild>
                    <a href={reviewAddress(project.slug, deployment)}>{words.review}</a>
                  </DropdownMenu.Item>
                )}
                {isReady && (
                  <DropdownMenu.Item className="menu-item" asChild>
                    <a href={openAddress(id)} target="_blank" rel="noopener">
                      {words.open}
                    </a>
                  </DropdownMenu.Item>
                )}
                {canCompare && (
                  <DropdownMenu.Item className="menu-item" asChild>
                    <a href={compareAddress(project.slug, id, liveId)}>
                      <GitCompareArrows size={14} aria-hidden />
                      {words.compare}
                    </a>
                  </DropdownMenu.Item>
                )}
                <DropdownMenu.Item className="menu-item" asChild>
                  <PageLink href={`/projects/${project.slug}/deployments/${id}`}>{words.log}</PageLink>
                </DropdownMenu.Item>
                {project.canManage && (
                  <>
                    <DropdownMenu.Separator className="menu-line" />
                    <DropdownMenu.Item className="menu-item" disabled={active} onSelect={onDelete}>
                      {active ? words.removeLive : words.remove}
                    </DropdownMenu.Item>
                  </>
                )}
              </DropdownMenu.Content>
            </DropdownMenu.Portal>
          </DropdownMenu.Root>
        </div>
      </td>
    </tr>
  );
}

export function StateBadge({ deployment: { status, active } }: { deployment: Deployment }) {
  if (status === 'building') {
    return (
      <span className="badge accent">
        <span className="spinner tiny" aria-hidden />
        {words.building}
      </span>
    );
  }
  if (status === 'failed') return <span className="badge bad">{words.failedState}</span>;
  return active ? <span className="badge good">{words.live}</span> : null;
}

export function Source({ deployment: { source, branch, commitSha } }: { deployment: Deployment }) {
  const short = commitSha?.slice(0, 7);
  return (
    <span>
      {source === 'upload' ? words.upload : words.build}
      {branch && <> · {branch}</>}
      {short && (
        <>
          {' '}
          · <code className="mono">{short}</code>
        </>
      )}
    </span>
  );
}
