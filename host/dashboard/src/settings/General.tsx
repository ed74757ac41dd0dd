import type { FormEvent } from 'react';
import { changeProject, type ProjectSettings } from '../api/settings.ts';
import { Part } from '../forms/Part.tsx';
import { Refusal } from '../forms/Refusal.tsx';
import { PROJECT_KEYS, useChange } from '../forms/useChange.ts';
import { useKept } from '../shell/useKept.ts';
import { formWords } from '../words/forms.ts';
import { settingsWords } from '../words/settings.ts';

const words = settingsWords.general;

export function General({ project }: { project: ProjectSettings }) {
  const saved = { name: project.name, repoUrl: project.repoUrl ?? '' };
  const [typed, setTyped, forget] = useKept<Partial<typeof saved>>(`project:${project.id}:general`, {});
  const shown = { ...saved, ...typed };
  // What nobody typed here is not sent: a colleague may have changed it meanwhile.
  const changed = {
    ...(shown.name === saved.name ? {} : { name: shown.name.trim() }),
    ...(shown.repoUrl === saved.repoUrl ? {} : { repoUrl: shown.repoUrl.trim() || null }),
  };
  const change = useChange((wanted: typeof changed) => changeProject(project.id, wanted), PROJECT_KEYS, () => (forget(), words.saved));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate(changed);
  };
  return (
    <Part title={words.title}>
      <form className="form" onSubmit={submit}>
        <label>
          {words.name}
          <input className="input" value={shown.name} required maxLength={200} onChange={(event) => setTyped({ ...typed, name: event.target.value })} />
        </label>
        <label>
          {words.repoUrl}
          <input className="input mono" value={shown.repoUrl} inputMode="url" spellCheck={false} onChange={(event) => setTyped({ ...typed, repoUrl: event.target.value })} />
          <span className="help">{words.repoUrlHelp}</span>
        </label>
        <dl className="definition">
          <dt>{words.slug}</dt>
          <dd>
            <code className="mono">{project.slug}</code>
            <p className="help">{words.slugHelp}</p>
          </dd>
          <dt>{words.served}</dt>
          <dd>
            <a href={project.openUrl ?? project.url} target="_blank" rel="noopener">
              {project.url}
            </a>
          </dd>
        </dl>
        <Refusal of={change.error} />
        <div className="button-row">
          <button type="submit" className="button primary" disabled={Object.keys(changed).length === 0 || change.isPending}>
            {change.isPending ? formWords.saving : formWords.save}
          </button>
        </div>
      </form>
    </Part>
  );
}
