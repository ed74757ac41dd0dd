import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { getPluginLimits, setPluginLimits } from '../../api/plugins.ts';
import { Refusal } from '../../forms/Refusal.tsx';
import { useChange } from '../../forms/useChange.ts';
import { Awaited } from '../../shell/states.tsx';
import { formWords } from '../../words/forms.ts';
import { pluginWords as words } from '../../words/plugins.ts';

/** The bounds of a slot, with units as the server writes them. */
export function Limits({ slot }: { slot: string }) {
  const limits = useQuery({ queryKey: ['plugin-details', slot, 'limits'], queryFn: ({ signal }) => getPluginLimits(slot, signal) });
  const [typed, setTyped] = useState<Record<string, string>>({});
  const save = useChange(
    () => setPluginLimits(slot, typed),
    ['plugin-details'],
    () => (setTyped({}), words.limitsSaved(slot)),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <Awaited of={limits}>
      {(now) => (
        <form className="form wide" onSubmit={submit}>
          <div className="limits">
            {Object.entries(now).map(([name, value]) => (
              <label key={name}>
                {name}
                <input className="input mono" value={typed[name] ?? String(value)} spellCheck={false} onChange={(event) => setTyped({ ...typed, [name]: event.target.value })} />
              </label>
            ))}
          </div>
          <Refusal of={save.error} />
          <div className="button-row">
            <button type="submit" className="button" disabled={Object.keys(typed).length === 0 || save.isPending}>
              {formWords.save}
            </button>
          </div>
        </form>
      )}
    </Awaited>
  );
}
