/** What the deployments pages ask for, and what they do. */
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { activateDeployment, cancelBuild, deleteDeployment, getDeployment, listDeployments, startBuild, type Deployment } from '../api/deployments.ts';

/** How often a running build is asked about, in milliseconds. */
const BUILD_INTERVAL = 3_000;

export const historyQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: ['deployments', projectId],
    queryFn: ({ pageParam, signal }) => listDeployments(projectId, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next ?? undefined,
    refetchInterval: ({ state }) => (state.data?.pages.some(({ deployments }) => deployments.some(({ status }) => status === 'building')) ? BUILD_INTERVAL : false),
  });

export const deploymentQuery = (id: string) =>
  queryOptions({
    queryKey: ['deployment', id],
    queryFn: ({ signal }) => getDeployment(id, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'building' ? BUILD_INTERVAL : false),
  });

/** Everything that shows deployments reads them again: the history, one of them, the project with its live version, the counts. */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all(['deployments', 'deployment', 'project', 'projects', 'summary'].map((key) => client.invalidateQueries({ queryKey: [key] })));
  };
}

export function useActivate(onDone: (deployment: Deployment) => void) {
  const refresh = useRefresh();
  return useMutation({ mutationFn: activateDeployment, onSuccess: onDone, onSettled: refresh });
}

export function useDelete(onDone: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: deleteDeployment,
    onSuccess: () => {
      onDone();
      return refresh();
    },
  });
}

export function useCancel() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: cancelBuild, onSettled: refresh });
}

export function useBuild(projectId: string, onDone: (id: string) => void) {
  const refresh = useRefresh();
  return useMutation({ mutationFn: () => startBuild(projectId), onSuccess: ({ deploymentId }) => onDone(deploymentId), onSettled: refresh });
}
