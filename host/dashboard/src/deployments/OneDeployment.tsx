import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { logPath } from '../api/deployments.ts';
import type { Project } from '../api/projects.ts';
import { Refusal } from '../forms/Refusal.tsx';
import { Time } from '../forms/Time.tsx';
import { PageLink } from '../shell/PageLink.tsx';
import { Awaited, Gone } from '../shell/states.tsx';
import { say } from '../shell/toasts.tsx';
import { useTitle } from '../shell/useTitle.ts';
import { deploymentWords as words } from '../words/deployments.ts';
import { DeleteDeployment } from './DeleteDeployment.tsx';
import { compareAddress, duration, nameOf, openAddress, reviewAddress, size } from './facts.ts';
import { LogView } from './log/LogView.tsx';
import { deploymentQuery, useActivate, useCancel, useRefresh } from './queries.ts';
import { Source, StateBadge } from './Row.tsx';

/** One version: its facts, what can be done with it, and its log. */
export function OneDeployment({ project, id }: { project: Project; id: string }) {
  const found = useQuery(deploymentQuery(id));
  const [isDeleting, setDeleting] = useState(false);
  const [, navigate] = useLocation();
  const refresh = useRefresh();
  const activate = useActivate((deployment) => say(words.activated(nameOf(deployment))));
  const cancel = useCancel();
  const history = `/projects/${project.slug}/deployments`;
  useTitle(found.data && nameOf(found.data), words.title, project.name);
  return (
    <Awaited of={found} loading={words.loading}>
      {(deployment) => {
        // A link with a foreign id under this project's address.
        if (deployment.projectId !== project.id) return <Gone title={words.gone}>{words.goneHelp}</Gone>;
        const { status, active } = deployment;
        const isReady = status === 'ready';
        return (
          <div className="stack">
            <div className="page-head">
              <PageLink className="icon-button" href={history} aria-label={words.back} title={words.back}>
                <ArrowLeft size={16} aria-hidden />
              </PageLink>
              <h2 className="page-title version">
                {nameOf(deployment)} <StateBadge deployment={deployment} />
              </h2>
              {isReady && (
                <>
                  <a className="button" href={openAddress(id)} target="_blank" rel="noopener">
                    {words.open}
                  </a>
                  <a className="button" href={reviewAddress(project.slug, deployment)}>
                    {words.review}
                  </a>
                  {!active && project.activeDeploymentId !== null && (
                    <a className="button" href={compareAddress(project.slug, id, project.activeDeploymentId)}>
                      {words.compare}
                    </a>
                  )}
                </>
              )}
              {project.canManage && (
                <>
                  {isReady && !active && (
                    <button type="button" className="button primary" disabled={activate.isPending} onClick={() => activate.mutate(id)}>
                      {words.activate}
                    </button>
                  )}
                  {status === 'building' && (
                    <button type="button" className="button" disabled={cancel.isPending} onClick={() => cancel.mutate(id)}>
                      {words.cancelBuild}
                    </button>
                  )}
                  {status !== 'building' && !active && (
                    <button type="button" className="button danger" onClick={() => setDeleting(true)}>
                      {words.remove}
                    </button>
                  )}
                </>
              )}
            </div>
            <Refusal of={activate.error ?? cancel.error} />
            <dl className="definition facts">
              <dt>{words.columns.what}</dt>
              <dd>
                <Source deployment={deployment} />
              </dd>
              <dt>{words.columns.who}</dt>
              <dd>{deployment.createdByName ?? words.somebody}</dd>
              <dt>{words.columns.when}</dt>
              <dd>
                <Time at={deployment.createdAt} />
              </dd>
              {deployment.finishedAt && (
                <>
                  <dt>{words.took}</dt>
                  <dd>{duration(deployment.createdAt, deployment.finishedAt)}</dd>
                </>
              )}
              {deployment.fileCount > 0 && (
                <>
                  <dt>{words.columns.size}</dt>
                  <dd>
                    {size(deployment.sizeBytes)}, {words.files(deployment.fileCount)}
                  </dd>
                </>
              )}
            </dl>
            <LogView path={logPath(id)} onDone={() => void refresh()} />
            {isDeleting && <DeleteDeployment deployment={deployment} onClose={() => setDeleting(false)} onDone={() => navigate(history)} />}
          </div>
        );
      }}
    </Awaited>
  );
}
