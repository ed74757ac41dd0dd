import { useQuery } from '@tanstack/react-query';
import { listDeliveries, type ProjectSettings } from '../../api/settings.ts';
import { Part } from '../../forms/Part.tsx';
import { Time } from '../../forms/Time.tsx';
import { PageLink } from '../../shell/PageLink.tsx';
import { Awaited } from '../../shell/states.tsx';
import { settingsWords } from '../../words/settings.ts';

const words = settingsWords.repository;

/** What the code host sent, and what became of it. */
export function Deliveries({ project }: { project: ProjectSettings }) {
  const deliveries = useQuery({ queryKey: ['deliveries', project.id], queryFn: ({ signal }) => listDeliveries(project.id, signal) });
  return (
    <Part title={words.deliveries} help={words.deliveriesHelp}>
      <Awaited of={deliveries}>
        {(list) =>
          list.length === 0 ? (
            <p className="list-empty">{words.noDeliveries}</p>
          ) : (
            <ul className="people">
              {list.map(({ id, branch, commitSha, outcome, reason, receivedAt, deploymentIds: [first] }) => (
                <li key={id}>
                  <span className="name">
                    {branch} <code className="mono">{commitSha.slice(0, 7)}</code>
                  </span>
                  <span className="soft">
                    <Time at={receivedAt} />
                    {reason ? ` · ${reason}` : ''}
                  </span>
                  {first === undefined ? <span className="badge">{words[outcome]}</span> : <PageLink href={`/projects/${project.slug}/deployments/${first}`}>{words[outcome]}</PageLink>}
                </li>
              ))}
            </ul>
          )
        }
      </Awaited>
    </Part>
  );
}
