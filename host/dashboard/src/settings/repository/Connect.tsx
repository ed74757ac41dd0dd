import { useQuery } from '@tanstack/react-query';
import { words as kitWords } from '@kit/words.ts';
import type { FormEvent } from 'react';
import { connectRepository, getInstallations, listBranches, listRepositories, type Connection, type ProjectSettings } from '../../api/settings.ts';
import { Part } from '../../forms/Part.tsx';
import { Refusal } from '../../forms/Refusal.tsx';
import { PROJECT_KEYS, useChange } from '../../forms/useChange.ts';
import { Awaited } from '../../shell/states.tsx';
import { say } from '../../shell/toasts.tsx';
import { useKept } from '../../shell/useKept.ts';
import { settingsWords } from '../../words/settings.ts';

const words = settingsWords.repository;

interface Typed {
  installation: string;
  /** `owner/name`. */
  repository: string;
  branch: string;
  installCommand: string;
  buildCommand: string;
  outputDir: string;
  autoDeploy: boolean;
}

function begin(present: Connection | null): Typed {
  return {
    installation: present ? String(present.installationId) : '',
    repository: present ? `${present.owner}/${present.name}` : '',
    branch: present?.branch ?? '',
    installCommand: present?.installCommand ?? '',
    buildCommand: present?.buildCommand ?? '',
    outputDir: present?.outputDir ?? '',
    autoDeploy: present?.autoDeploy ?? true,
  };
}

/** Chooses a repository that the caller sees at the code host, and how it is built. */
export function Connect({ project, present, onDone }: { project: ProjectSettings; present: Connection | null; onDone: () => void }) {
  const installations = useQuery({ queryKey: ['installations'], queryFn: ({ signal }) => getInstallations(signal) });
  return (
    <Part title={words.title} help={words.help}>
      <Awaited of={installations}>
        {({ configured, linked, installUrl, installations: list }) => {
          if (!configured) return <p className="notice">{words.notConfiguredWhy}</p>;
          if (!linked) {
            return (
              <p className="notice">
                {words.notLinked}. {words.notLinkedWhy}
              </p>
            );
          }
          return (
            <>
              <Form project={project} present={present} accounts={list} onDone={onDone} />
              {installUrl && (
                <p>
                  <a href={installUrl} target="_blank" rel="noopener">
                    {words.install}
                  </a>
                </p>
              )}
            </>
          );
        }}
      </Awaited>
    </Part>
  );
}

function Form({ project, present, accounts, onDone }: { project: ProjectSettings; present: Connection | null; accounts: readonly { id: number; account: string }[]; onDone: () => void }) {
  const [typed, setTyped, forget] = useKept<Typed>(`project:${project.id}:repository`, begin(present));
  const set = (change: Partial<Typed>): void => setTyped({ ...typed, ...change });
  const installation = Number(typed.installation);
  const [owner = '', name = ''] = typed.repository.split('/');
  const repositories = useQuery({ queryKey: ['repositories', installation], queryFn: ({ signal }) => listRepositories(installation, signal), enabled: typed.installation !== '' });
  const branches = useQuery({ queryKey: ['branches', installation, typed.repository], queryFn: ({ signal }) => listBranches(installation, owner, name, signal), enabled: typed.installation !== '' && name !== '' });
  const save = useChange(
    () =>
      connectRepository(project.id, {
        installationId: installation,
        owner,
        name,
        branch: typed.branch || null,
        installCommand: typed.installCommand.trim() || null,
        buildCommand: typed.buildCommand.trim() || null,
        outputDir: typed.outputDir.trim() || null,
        autoDeploy: typed.autoDeploy,
      }),
    PROJECT_KEYS,
    () => {
      say(words.connected);
      forget();
      onDone();
    },
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const chooseRepository = (repository: string): void => set({ repository, branch: repositories.data?.find(({ fullName }) => fullName === repository)?.defaultBranch ?? '' });
  return (
    <form className="form" onSubmit={submit}>
      <label>
        {words.installation}
        <select className="select" required value={typed.installation} onChange={(event) => set({ installation: event.target.value, repository: '', branch: '' })}>
          <option value="">{words.choose}</option>
          {accounts.map(({ id, account }) => (
            <option key={id} value={id}>
              {account}
            </option>
          ))}
        </select>
      </label>
      <Choice label={words.repository} value={typed.repository} list={repositories.data?.map(({ fullName }) => fullName)} onChange={chooseRepository} />
      <Refusal of={repositories.error} />
      <Choice label={words.branch} value={typed.branch} list={branches.data} onChange={(branch) => set({ branch })} />
      <Refusal of={branches.error} />
      <label>
        {words.installCommand}
        <input className="input mono" value={typed.installCommand} placeholder={words.detected} spellCheck={false} onChange={(event) => set({ installCommand: event.target.value })} />
      </label>
      <label>
        {words.buildCommand}
        <input className="input mono" value={typed.buildCommand} placeholder={words.builtBy} spellCheck={false} onChange={(event) => set({ buildCommand: event.target.value })} />
      </label>
      <label>
        {words.outputDir}
        <input className="input mono" value={typed.outputDir} placeholder="dist" spellCheck={false} onChange={(event) => set({ outputDir: event.target.value })} />
      </label>
      <label className="check">
        <input type="checkbox" checked={typed.autoDeploy} onChange={(event) => set({ autoDeploy: event.target.checked })} />
        {words.autoDeploy}
      </label>
      <Refusal of={save.error} />
      <div className="button-row">
        <button type="submit" className="button primary" disabled={typed.installation === '' || name === '' || save.isPending}>
          {present ? words.save : words.connect}
        </button>
        {present && (
          <button type="button" className="button" onClick={() => (forget(), onDone())}>
            {kitWords.cancel}
          </button>
        )}
      </div>
    </form>
  );
}

/** One of a list; the present value stays there while the list is on its way. */
function Choice({ label, value, list, onChange }: { label: string; value: string; list: readonly string[] | undefined; onChange: (value: string) => void }) {
  const all = [...new Set([...(value === '' ? [] : [value]), ...(list ?? [])])];
  return (
    <label>
      {label}
      <select className="select" required value={value} disabled={list === undefined && value === ''} onChange={(event) => onChange(event.target.value)}>
        <option value="">{words.choose}</option>
        {all.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
