import { ChevronRight, CircleAlert, MoreHorizontal } from 'lucide-react';
import { Collapsible, DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { enablePlugin, type Plugin } from '../../api/plugins.ts';
import { Refusal } from '../../forms/Refusal.tsx';
import { useChange } from '../../forms/useChange.ts';
import { pluginWords as words } from '../../words/plugins.ts';
import { AskDisable, AskRemove, AskRollback } from './asks.tsx';
import { Details } from './Details.tsx';
import { Fill } from './Fill.tsx';
import { PLUGIN_KEYS } from './keys.ts';

const TONES: Record<Plugin['state'], string> = { serving: 'good', failed: 'bad', tripped: 'bad', disabled: '', waiting: 'warn' };

/** One slot: what fills it and how it is; opened, everything else about it. */
export function Slot({ plugin }: { plugin: Plugin }) {
  const { slot, id, version, state, problem, enabled } = plugin;
  const [asking, setAsking] = useState<'disable' | 'update' | 'rollback' | 'remove' | null>(null);
  const enable = useChange(() => enablePlugin(slot), PLUGIN_KEYS, ({ message }) => message ?? undefined);
  const close = (): void => setAsking(null);
  return (
    <li className="slot">
      <Collapsible.Root>
        <div className="slot-head">
          <Collapsible.Trigger className="slot-name">
            <ChevronRight size={15} aria-hidden className="turn" />
            <b>{slot}</b>
            <span className="soft">
              {id === slot ? '' : `${id} `}
              {version}
            </span>
          </Collapsible.Trigger>
          <span className={`badge ${TONES[state]}`}>{words.states[state]}</span>
          <span className="soft grow slot-from">{plugin.bundled ? words.bundled : plugin.source ? words.from(plugin.source) : ''}</span>
          {enabled ? (
            <button type="button" className="button" onClick={() => setAsking('disable')}>
              {words.disable}
            </button>
          ) : (
            <button type="button" className="button primary" disabled={enable.isPending} onClick={() => enable.mutate(undefined)}>
              {words.enable}
            </button>
          )}
          <DropdownMenu.Root>
            <DropdownMenu.Trigger className="icon-button" aria-label={words.actions(slot)}>
              <MoreHorizontal size={16} aria-hidden />
            </DropdownMenu.Trigger>
            <DropdownMenu.Portal>
              <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
                <DropdownMenu.Item className="menu-item" onSelect={() => setAsking('update')}>
                  {words.update}
                </DropdownMenu.Item>
                <DropdownMenu.Item className="menu-item" onSelect={() => setAsking('rollback')}>
                  {words.rollback}
                </DropdownMenu.Item>
                <DropdownMenu.Separator className="menu-line" />
                <DropdownMenu.Item className="menu-item" onSelect={() => setAsking('remove')}>
                  {words.remove}
                </DropdownMenu.Item>
              </DropdownMenu.Content>
            </DropdownMenu.Portal>
          </DropdownMenu.Root>
        </div>
        {problem && (
          <p className="notice bad">
            <CircleAlert size={14} aria-hidden />
            {problem}
          </p>
        )}
        <Refusal of={enable.error} />
        <Collapsible.Content>
          <Details plugin={plugin} />
        </Collapsible.Content>
      </Collapsible.Root>
      {asking === 'disable' && <AskDisable slot={slot} onClose={close} />}
      {asking === 'update' && <Fill slot={slot} onClose={close} />}
      {asking === 'rollback' && <AskRollback slot={slot} isBundled={plugin.bundled} onClose={close} />}
      {asking === 'remove' && <AskRemove slot={slot} onClose={close} />}
    </li>
  );
}
