import { useState } from 'react';
import { edit } from '../../model/edits.ts';
import { inspected } from '../../model/selecting.ts';
import { Window } from '@kit/Window.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

export default function SwapDialog({ src, onClose }: { src: string; onClose: () => void }) {
  const editor = useEditor();
  const facts = useModel(inspected);
  const attributes = facts?.attributes.filter(({ form }) => form !== 'spread').map(({ name }) => name) ?? [];
  const [component, setComponent] = useState('');
  const [from, setFrom] = useState('');
  const [props, setProps] = useState<Record<string, string>>({});
  const go = async (): Promise<void> => {
    const kept = Object.fromEntries(Object.entries(props).filter(([, to]) => to.trim() !== ''));
    const module = from.trim() === '' ? {} : { from: from.trim() };
    if (await edit(editor, { kind: 'swap', component: component.trim(), ...module, props: kept }, { title: messages.swapTitle, src })) onClose();
  };
  const foot = (
    <>
      <button type="button" className="button" onClick={onClose}>
        {messages.cancel}
      </button>
      <button type="button" className="button primary" disabled={component.trim() === ''} onClick={() => void go()}>
        {messages.swap}
      </button>
    </>
  );
  return (
    <Window title={messages.swapTitle} foot={foot} onClose={onClose}>
      <div className="form">
        <label>
          {messages.swapComponent}
          <input className="input mono" autoFocus value={component} onChange={(event) => setComponent(event.target.value)} />
        </label>
        <label>
          {messages.swapFrom}
          <input className="input mono" value={from} onChange={(event) => setFrom(event.target.value)} />
          <span className="help">{messages.swapFromHelp}</span>
        </label>
        {attributes.length > 0 && (
          <fieldset className="form">
            <legend className="label">{messages.swapProps}</legend>
            {attributes.map((name) => (
              <label key={name} className="row">
                <code>{name}</code>
                <input className="input mono" value={props[name] ?? ''} onChange={(event) => setProps({ ...props, [name]: event.target.value })} />
              </label>
            ))}
          </fieldset>
        )}
      </div>
    </Window>
  );
}
