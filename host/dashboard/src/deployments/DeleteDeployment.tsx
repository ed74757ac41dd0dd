import type { Deployment } from '../api/deployments.ts';
import { Confirm } from '../forms/Confirm.tsx';
import { deploymentWords as words } from '../words/deployments.ts';
import { nameOf } from './facts.ts';
import { useDelete } from './queries.ts';

/** Asks before a version goes for good. A live one is refused by the server, in its words. */
export function DeleteDeployment({ deployment, onClose, onDone }: { deployment: Deployment; onClose: () => void; onDone: () => void }) {
  const remove = useDelete(onDone);
  return (
    <Confirm title={words.removeTitle(nameOf(deployment))} action={words.removeNow} isBusy={remove.isPending} error={remove.error} onConfirm={() => remove.mutate(deployment.deploymentId)} onClose={onClose}>
      {words.removeHelp}
    </Confirm>
  );
}
