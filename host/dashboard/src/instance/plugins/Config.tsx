import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { getPluginConfig, setPluginConfig, type PluginConfig } from '../../api/plugins.ts';
import { Refusal } from '../../forms/Refusal.tsx';
import { useChange } from '../../forms/useChange.ts';
import { Awaited } from '../../shell/states.tsx';
import { formWords } from '../../words/forms.ts';
import { pluginWords as words } from '../../words/plugins.ts';

/** The settings that a plugin declares. An empty value takes one out. */
export function Config({ slot }: { slot: string }) {
  const config = useQuery({ queryKey: ['plugin-details', slot, 'config'], queryFn: ({ signal }) => getPluginConfig(slot, signal) });
  return <Awaited of={config}>{(now) => (now.declared.length === 0 ? <p className="soft">{words.noSettings}</p> : <Form slot={slot} config={now} />)}</Awaited>;
}

function Form({ slot, config }: { slot: string; config: PluginConfig }) {
  /** What was changed, by key. Secrets are among them, so nothing is kept beyond the page. */
  const [typed, setTyped] = useState<Record<string, string>>({});
  const secrets = new Set(config.declared.filter(({ type }) => type === 'secret').map(({ key }) => key));
  const save = useChange(
    () => {
      const given = Object.entries(typed);
      return setPluginConfig(slot, { settings: Object.fromEntries(given.filter(([key]) => !secrets.has(key))), secrets: Object.fromEntries(given.filter(([key]) => secrets.has(key))) });
    },
    ['plugin-details', 'plugins'],
    () => (setTyped({}), words.settingsSaved(slot)),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form className="form" onSubmit={submit}>
      {config.declared.map(({ key, type, words: about, default: fallback, value, isSet }) => {
        const now = typed[key] ?? (type === 'secret' || !isSet ? '' : String(value ?? ''));
        const set = (next: string): void => setTyped({ ...typed, [key]: next });
        const isSecret = type === 'secret';
        const help = isSecret && isSet ? words.isSet : fallback === null || fallback === undefined || isSet ? '' : words.default(String(fallback));
        return (
          <label key={key}>
            <span>
              <code className="mono">{key}</code> <span className="help">{about}</span>
            </span>
            {type === 'boolean' ? (
              <select className="select" value={now} onChange={(event) => set(event.target.value)}>
                <option value="">–</option>
                <option value="true">true</option>
                <option value="false">false</option>
              </select>
            ) : (
              <input className="input" type={isSecret ? 'password' : 'text'} inputMode={type === 'number' ? 'decimal' : undefined} autoComplete={isSecret ? 'new-password' : 'off'} value={now} onChange={(event) => set(event.target.value)} />
            )}
            {help !== '' && <span className="help">{help}</span>}
          </label>
        );
      })}
      <Refusal of={save.error} />
      <div className="button-row">
        <button type="submit" className="button" disabled={Object.keys(typed).length === 0 || save.isPending}>
          {formWords.save}
        </button>
      </div>
    </form>
  );
}
