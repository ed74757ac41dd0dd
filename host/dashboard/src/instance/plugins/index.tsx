import { useQuery } from '@tanstack/react-query';
import { Info, Plus } from 'lucide-react';
import { useState } from 'react';
import { asApiError } from '../../api/error.ts';
import { listPlugins } from '../../api/plugins.ts';
import { Part } from '../../forms/Part.tsx';
import { Awaited } from '../../shell/states.tsx';
import { pluginWords as words } from '../../words/plugins.ts';
import { Fill } from './Fill.tsx';
import './plugins.css';
import { Slot } from './Slot.tsx';

/** What fills the slots, how it is, and what can be done with it. */
export default function Plugins() {
  const plugins = useQuery({ queryKey: ['plugins'], queryFn: ({ signal }) => listPlugins(signal), refetchInterval: 20_000 });
  const [isAdding, setAdding] = useState(false);
  const isAbsent = plugins.error !== null && asApiError(plugins.error).failure === 'gone';
  return (
    <>
      <Part
        title={words.title}
        help={words.help}
        action={
          <button type="button" className="button" onClick={() => setAdding(true)}>
            <Plus size={15} aria-hidden />
            {words.add}
          </button>
        }
      >
        {isAbsent ? (
          <p className="notice">
            <Info size={14} aria-hidden />
            {words.readOnly}
          </p>
        ) : (
          <Awaited of={plugins}>
            {(list) => (
              <ul className="slots">
                {list.map((plugin) => (
                  <Slot key={plugin.slot} plugin={plugin} />
                ))}
              </ul>
            )}
          </Awaited>
        )}
      </Part>
      {isAdding && <Fill slot={null} onClose={() => setAdding(false)} />}
    </>
  );
}
