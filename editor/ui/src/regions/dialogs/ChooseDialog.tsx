import { useEffect, useState } from 'react';
import { concerned, keepAnswer, spoken, suggested } from '../../model/choices.ts';
import type { Choosing } from '../../model/model.ts';
import { Radios } from '@kit/Radios.tsx';
import { Window } from '@kit/Window.tsx';
import { messages } from '../../messages.ts';
import { useEditor, useModel } from '../../react/use.ts';

/** An edit that could mean several things: which? What each would change is outlined in the page while one chooses. */
export function ChooseDialog({ choosing }: { choosing: Choosing }) {
  const editor = useEditor();
  const { refusal, choose, title, kind } = choosing;
  const { choices } = refusal;
  const [at, setAt] = useState(() => suggested(choices, editor.store.getState()));
  const [keep, setKeep] = useState(false);
  const marked = useModel((model) => model.marked);
  const chosen = choices[at];
  const asks = kind === 'token' ? messages.tokenTitle : messages.chooseTitle;
  // How many a wide answer means is counted once; choosing then outlines what is chosen.
  const wide = choices.find(({ option, value }) => option === 'scope' && value === 'all');
  const [counted, setCounted] = useState<number | null>(null);
  useEffect(() => {
    if (chosen) editor.page.send({ type: 'editor:mark', ...concerned(counted === null && wide ? wide : chosen, choosing, editor.store.getState()) });
  }, [editor, chosen, choosing, wide, counted]);
  useEffect(() => {
    if (counted === null && marked !== null) setCounted(marked);
  }, [counted, marked]);
  const done = (): void => {
    if (!chosen) return choose(null);
    if (keep && chosen.option === 'scope') keepAnswer(editor, kind, chosen.value === 'all' ? 'all' : 'item');
    choose(chosen);
  };
  const foot = (
    <>
      <button type="button" className="button" onClick={() => choose(null)}>
        {messages.cancel}
      </button>
      <button type="button" className="button primary" onClick={done}>
        {title}
      </button>
    </>
  );
  return (
    <Window title={asks} about={refusal.reason} foot={foot} aside onClose={() => choose(null)}>
      <div onKeyDown={(event) => (event.key === 'Enter' ? done() : undefined)}>
        <Radios
          label={asks}
          value={String(at)}
          options={choices.map((choice, index) => ({ value: String(index), ...spoken(choice, counted) }))}
          onChange={(value) => setAt(Number(value))}
        />
      </div>
      {chosen?.option === 'scope' && (
        <label className="check">
          <input type="checkbox" checked={keep} onChange={(event) => setKeep(event.target.checked)} />
          {messages.keepAnswer}
        </label>
      )}
    </Window>
  );
}
