import { useQuery } from '@tanstack/react-query';
import { State } from '@kit/State.tsx';
import { CircleAlert, GitBranch } from 'lucide-react';
import { useState } from 'react';
import { disconnectRepository, type Connection, type ProjectSettings } from '../../api/settings.ts';
import { uiQuery } from '../../api/ui.ts';
import { Part } from '../../forms/Part.tsx';
import { Confirm } from '../../forms/Confirm.tsx';
import { PROJECT_KEYS, useChange } from '../../forms/useChange.ts';
import { Slot } from '../../shell/Slot.tsx';
import { settingsWords } from '../../words/settings.ts';
import { Connect } from './Connect.tsx';
import { Deliveries } from './Deliveries.tsx';

const words = settingsWords.repository;

/** The connected repository, or the form that connects one. */
export function Repository({ project }: { project: ProjectSettings }) {
  const [isChanging, setChanging] = useState(false);
  const { data: ui } = useQuery(uiQuery);
  const { repo } = project;
  if (!repo && ui && !ui.settings.codeHost) {
    return (
      <State title={words.notConfigured} icon={<GitBranch size={20} aria-hidden />}>
        {words.notConfiguredWhy}
      </State>
    );
  }
  return (
    <Slot slot="repo" name={settingsWords.sections.repository}>
      {repo && !isChanging ? <Connected project={project} repo={repo} onChange={() => setChanging(true)} /> : <Connect project={project} present={repo ?? null} onDone={() => setChanging(false)} />}
      {repo && <Deliveries project={project} />}
    </Slot>
  );
}

function Connected({ project, repo, onChange }: { project: ProjectSettings; repo: Connection; onChange: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const disconnect = useChange(
    () => disconnectRepository(project.id),
    PROJECT_KEYS,
    () => setAsking(false),
  );
  return (
    <Part
      title={`${repo.owner}/${repo.name}`}
      help={words.help}
      action={
        <div className="button-row">
          <button type="button" className="button" onClick={onChange}>
            {words.change}
          </button>
          <button type="button" className="button danger" onClick={() => setAsking(true)}>
            {words.disconnect}
          </button>
        </div>
      }
    >
      {repo.problem && (
        <p className="notice bad" role="status">
          <CircleAlert size={14} aria-hidden />
          <span>
            {words.problem} {repo.problem}
          </span>
        </p>
      )}
      <dl className="definition">
        <dt>{words.branch}</dt>
        <dd>
          <code className="mono">{repo.branch}</code>
        </dd>
        <dt>{words.installCommand}</dt>
        <dd>{repo.installCommand ? <code className="mono">{repo.installCommand}</code> : <span className="soft">{words.detected}</span>}</dd>
        <dt>{words.buildCommand}</dt>
        <dd>{repo.buildCommand ? <code className="mono">{repo.buildCommand}</code> : <span className="soft">{words.builtBy}</span>}</dd>
        <dt>{words.outputDir}</dt>
        <dd>
          <code className="mono">{repo.outputDir}</code>
        </dd>
        <dt>{words.autoDeploy}</dt>
        <dd>{repo.autoDeploy ? words.on : words.off}</dd>
      </dl>
      {isAsking && (
        <Confirm title={words.disconnectTitle} action={words.disconnect} isBusy={disconnect.isPending} error={disconnect.error} onConfirm={() => disconnect.mutate(undefined)} onClose={() => setAsking(false)}>
          {words.disconnectHelp}
        </Confirm>
      )}
    </Part>
  );
}
