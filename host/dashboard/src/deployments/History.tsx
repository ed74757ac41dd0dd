import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { State } from '@kit/State.tsx';
import { Hammer, PackageOpen } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Deployment } from '../api/deployments.ts';
import type { Project } from '../api/projects.ts';
import { getProjectById } from '../api/settings.ts';
import { slotState, uiQuery } from '../api/ui.ts';
import { Refusal } from '../forms/Refusal.tsx';
import { Table } from '../forms/Table.tsx';
import { Awaited } from '../shell/states.tsx';
import { say } from '../shell/toasts.tsx';
import { deploymentWords as words } from '../words/deployments.ts';
import { DeleteDeployment } from './DeleteDeployment.tsx';
import { DropZone } from './DropZone.tsx';
import { nameOf } from './facts.ts';
import { historyQuery, useActivate, useBuild, useRefresh } from './queries.ts';
import { Row } from './Row.tsx';
import { useUpload } from './useUpload.ts';

/** Every version of a project, newest first. */
export function History({ project }: { project: Project }) {
  const history = useInfiniteQuery(historyQuery(project.id));
  const [doomed, setDoomed] = useState<Deployment | null>(null);
  const activate = useActivate((deployment) => say(words.activated(nameOf(deployment))));
  return (
    <div className="stack">
      {project.canManage && <NewDeployment project={project} />}
      <Refusal of={activate.error} />
      <Awaited of={history} loading={words.loading}>
        {({ pages }) => {
          const all = pages.flatMap(({ deployments }) => deployments);
          const live = all.find(({ active }) => active) ?? null;
          if (all.length === 0) {
            return (
              <State title={words.none} icon={<PackageOpen size={20} aria-hidden />}>
                {project.canManage ? words.noneHelp : words.noneHelpReader}
              </State>
            );
          }
          return (
            <div className="part">
              <Table columns={words.columns} className="deployments">
                {all.map((deployment) => (
                  <Row key={deployment.deploymentId} project={project} deployment={deployment} liveId={live?.deploymentId ?? project.activeDeploymentId} isBusy={activate.isPending} onActivate={() => activate.mutate(deployment.deploymentId)} onDelete={() => setDoomed(deployment)} />
                ))}
              </Table>
              {history.hasNextPage && (
                <button type="button" className="button more" disabled={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
                  {words.more}
                </button>
              )}
              <Refusal of={history.isFetchNextPageError ? history.error : null} />
            </div>
          );
        }}
      </Awaited>
      {doomed && <DeleteDeployment deployment={doomed} onClose={() => setDoomed(null)} onDone={() => setDoomed(null)} />}
    </div>
  );
}

function NewDeployment({ project }: { project: Project }) {
  const refresh = useRefresh();
  const steps = useUpload(project, () => void refresh());
  return <DropZone steps={steps} seeAddress={`/projects/${project.slug}`} aside={<BuildButton project={project} />} />;
}

/** Builds the connected repository; absent without one. */
function BuildButton({ project }: { project: Project }) {
  const { data: ui } = useQuery(uiQuery);
  const { data } = useQuery({ queryKey: ['project', 'full', project.id], queryFn: ({ signal }) => getProjectById(project.id, signal) });
  const [, navigate] = useLocation();
  const build = useBuild(project.id, (id) => navigate(`/projects/${project.slug}/deployments/${id}`));
  const repo = data?.repo;
  if (!repo || slotState(ui, 'repo') === 'absent') return null;
  return (
    <>
      <button type="button" className="button" disabled={build.isPending} title={words.buildHelp(`${repo.owner}/${repo.name}`, repo.branch)} onClick={() => build.mutate()}>
        <Hammer size={15} aria-hidden />
        {words.startBuild}
      </button>
      <Refusal of={build.error} />
    </>
  );
}
