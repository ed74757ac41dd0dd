import { useState } from 'react';
import { edit } from '../../model/edits.ts';
import { longPlace } from '../../model/place.ts';
import { Segments } from '@kit/Segments.tsx';
import { Window } from '@kit/Window.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { ComponentUse } from '../../api/components.ts';
import type { Place } from '../../api/edit.ts';
import { messages } from '../../messages.ts';
import { InsertComponent } from './InsertComponent.tsx';

const EXAMPLES = ['<p>Text</p>', '<h2>Heading</h2>', '<button type="button">Button</button>', '<a href="#">Link</a>', '<img src="" alt="" />', '<div></div>'];
const PLACES = ['before', 'first', 'last', 'after'] as const;
const KINDS = ['component', 'markup'] as const;

/** Puts a component of the project, or markup, beside or into an element. */
export default function InsertDialog({ src, onClose }: { src: string; onClose: () => void }) {
  const editor = useEditor();
  const tag = useModel((model) => model.selection?.target?.tag ?? '');
  const [kind, setKind] = useState<(typeof KINDS)[number]>('component');
  const [markup, setMarkup] = useState(EXAMPLES[0] ?? '');
  const [use, setUse] = useState<ComponentUse | null>(null);
  const [place, setPlace] = useState<Place>('after');
  const ready = kind === 'component' ? use !== null : markup.trim() !== '';
  const go = async (): Promise<void> => {
    if (!ready) return;
    const operation = kind === 'component' && use !== null ? ({ kind: 'insert', place, use } as const) : ({ kind: 'insert', place, markup } as const);
    if (await edit(editor, operation, { title: messages.insertTitle })) onClose();
  };
  const foot = (
    <>
      <button type="button" className="button" onClick={onClose}>
        {messages.cancel}
      </button>
      <button type="button" className="button primary" disabled={!ready} onClick={() => void go()}>
        {messages.insert}
      </button>
    </>
  );
  return (
    <Window title={messages.insertTitle} about={messages.insertHelp(longPlace(src))} foot={foot} onClose={onClose}>
      <div className="form">
        <Segments wide label={messages.insertWhat} value={kind} options={KINDS.map((value) => ({ value, label: messages.insertKinds[value] }))} onChange={(value) => setKind(value as typeof kind)} />
        <div className="label">
          {messages.place}
          <Segments wide label={`${messages.place} ${tag}`} value={place} options={PLACES.map((value) => ({ value, label: messages.places[value] }))} onChange={(value) => setPlace(value as Place)} />
        </div>
        {kind === 'component' ? (
          <InsertComponent src={src} onUse={setUse} onGo={() => void go()} />
        ) : (
          <>
            <label>
              {messages.markup}
              <textarea className="area mono" rows={5} spellCheck={false} autoFocus value={markup} onChange={(event) => setMarkup(event.target.value)} />
            </label>
            <div className="chips">
              {EXAMPLES.map((example) => (
                <button key={example} type="button" className="badge" onClick={() => setMarkup(example)}>
                  <code>{example}</code>
                </button>
              ))}
            </div>
          </>
        )}
      </div>
    </Window>
  );
}
