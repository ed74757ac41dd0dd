/** The questions before a slot changes. Each shows the server's refusal and stays. */
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { disablePlugin, getPluginHistory, removePlugin, rollbackPlugin, type Outcome } from '../../api/plugins.ts';
import { Confirm } from '../../forms/Confirm.tsx';
import { useChange } from '../../forms/useChange.ts';
import { pluginWords as words } from '../../words/plugins.ts';
import { PLUGIN_KEYS } from './keys.ts';

function useOutcome(act: () => Promise<Outcome>, onClose: () => void) {
  return useChange(act, PLUGIN_KEYS, ({ message }) => {
    onClose();
    return message ?? undefined;
  });
}

export function AskDisable({ slot, onClose }: { slot: string; onClose: () => void }) {
  const disable = useOutcome(() => disablePlugin(slot), onClose);
  return (
    <Confirm title={words.disableTitle(slot)} action={words.disable} isBusy={disable.isPending} error={disable.error} onConfirm={() => disable.mutate(undefined)} onClose={onClose}>
      {words.disableHelp}
    </Confirm>
  );
}

export function AskRollback({ slot, isBundled, onClose }: { slot: string; isBundled: boolean; onClose: () => void }) {
  const history = useQuery({ queryKey: ['plugin-details', slot, 'history'], queryFn: ({ signal }) => getPluginHistory(slot, signal) });
  const [bundled, setBundled] = useState(false);
  const [loseWrites, setLoseWrites] = useState(false);
  const rollback = useOutcome(() => rollbackPlugin(slot, { ...(bundled ? { bundled } : {}), ...(loseWrites ? { loseWrites } : {}) }), onClose);
  const [before] = history.data?.before ?? [];
  return (
    <Confirm title={words.rollbackTitle(slot)} action={words.rollbackNow} isBusy={rollback.isPending} error={rollback.error} onConfirm={() => rollback.mutate(undefined)} onClose={onClose}>
      <p>{before ? words.rollbackTo(before.version) : words.rollbackNone}</p>
      {!isBundled && (
        <Check isOn={bundled} onChange={setBundled}>
          {words.bundledInstead}
        </Check>
      )}
      <Check isOn={loseWrites} onChange={setLoseWrites}>
        {words.loseWrites}
      </Check>
    </Confirm>
  );
}

export function AskRemove({ slot, onClose }: { slot: string; onClose: () => void }) {
  const [purge, setPurge] = useState(false);
  const remove = useOutcome(() => removePlugin(slot, purge), onClose);
  return (
    <Confirm title={words.removeTitle(slot)} action={words.removeNow} {...(purge ? { typed: slot } : {})} isBusy={remove.isPending} error={remove.error} onConfirm={() => remove.mutate(undefined)} onClose={onClose}>
      <p>{words.removeHelp}</p>
      <Check isOn={purge} onChange={setPurge}>
        {words.purge}
      </Check>
    </Confirm>
  );
}

export function Check({ isOn, onChange, children }: { isOn: boolean; onChange: (isOn: boolean) => void; children: ReactNode }) {
  return (
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      {children}
    </label>
  );
}
