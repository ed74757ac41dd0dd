import { useState } from 'react';
import { edit } from '../../model/edits.ts';
import { longPlace } from '../../model/place.ts';
import { Segments } from '../../components/Segments.tsx';
import { Window } from '../../components/Window.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { Place } from '../../api/edit.ts';
import { messages } from '../../messages.ts';

const EXAMPLES = ['<p>Text</p>', '<h2>Heading</h2>', '<button type="button">Button</button>', '<a href="#">Link</a>', '<img src="" alt="" />', '<div></div>'];
const PLACES = ['before', 'first', 'last', 'after'] as const;

export function InsertDialog({ src, onClose }: { src: string; onClose: () => void }) {
  const editor = useEditor();
  const tag = useModel((model) => model.selection?.target?.tag ?? '');
  const [markup, setMarkup] = useState(EXAMPLES[0] ?? '');
  const [place, setPlace] = useState<Place>('after');
  const go = async (): Promise<void> => {
    if (await edit(editor, { kind: 'insert', place, markup }, { title: messages.insertTitle })) onClose();
  };
  const foot = (
    <>
      <button type="button" className="button" onClick={onClose}>
        {messages.cancel}
      </button>
      <button type="button" className="button primary" disabled={markup.trim() === ''} onClick={() => void go()}>
        {messages.insert}
      </button>
    </>
  );
  return (
    <Window title={messages.insertTitle} about={messages.insertHelp(longPlace(src))} foot={foot} onClose={onClose}>
      <div className="form">
        <div className="label">
          {messages.place}
          <Segments wide label={`${messages.place} ${tag}`} value={place} options={PLACES.map((value) => ({ value, label: messages.places[value] }))} onChange={(value) => setPlace(value as Place)} />
        </div>
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
      </div>
    </Window>
  );
}
