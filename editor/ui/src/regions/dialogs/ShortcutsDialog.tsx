import { Switch } from 'radix-ui';
import { Fragment } from 'react';
import { ACTIONS } from '../../actions/index.ts';
import { isSingleKey, readableKeys } from '../../actions/keys.ts';
import { singleKeys } from '../../actions/single_keys.ts';
import { Window } from '@kit/Window.tsx';
import { useAction, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

/** The cheat sheet, made from the actions themselves. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const model = useModel((model) => model);
  const single = useAction(singleKeys);
  const shown = ACTIONS.filter((each) => each.keys.length > 0 && !each.hidden?.(model));
  const groups = [...new Set(shown.map(({ group }) => group))];
  return (
    <Window title={messages.shortcutsTitle} wide onClose={onClose}>
      <div className="keys-list">
        <section>
          <h3>{messages.gestures}</h3>
          <ul>
            {messages.gestureList.map(([what, how]) => (
              <li key={what}>
                <span>{what}</span>
                <span className="meta">{how}</span>
              </li>
            ))}
          </ul>
        </section>
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <ul>
              {shown.filter((each) => each.group === group).map(({ id, label, keys }) => (
                <li key={id}>
                  <span>{label}</span>
                  <span>
                    {keys.map((each, index) => (
                      <Fragment key={each}>
                        {index > 0 && ' '}
                        <kbd className="kbd" style={!model.singleKeys && isSingleKey(each) ? { opacity: 0.4 } : undefined}>{readableKeys(each)}</kbd>
                      </Fragment>
                    ))}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <label className="check" style={{ alignItems: 'center' }}>
        <Switch.Root className="switch" checked={single.pressed === true} onCheckedChange={single.perform}>
          <Switch.Thumb />
        </Switch.Root>
        <span>
          {singleKeys.label} <span className="help">{messages.singleKeysHelp}</span>
        </span>
      </label>
    </Window>
  );
}
