import { useState } from 'react';
import type { Choosing } from '../../model/edits.ts';
import { Radios } from '../../parts/Radios.tsx';
import { Window } from '../../parts/Window.tsx';
import { words } from '../../words.ts';

/** An edit that could mean several things: which? */
export function ChooseDialog({ choosing }: { choosing: Choosing }) {
  const { refusal, choose, title } = choosing;
  const [at, setAt] = useState('0');
  const foot = (
    <>
      <button type="button" className="button" onClick={() => choose(null)}>
        {words.cancel}
      </button>
      <button type="button" className="button primary" onClick={() => choose(refusal.choices[Number(at)] ?? null)}>
        {title}
      </button>
    </>
  );
  return (
    <Window title={words.chooseTitle} about={refusal.reason} foot={foot} onClose={() => choose(null)}>
      <div onKeyDown={(event) => (event.key === 'Enter' ? choose(refusal.choices[Number(at)] ?? null) : undefined)}>
        <Radios label={words.chooseTitle} value={at} options={refusal.choices.map(({ label }, index) => ({ value: String(index), label }))} onChange={setAt} />
      </div>
    </Window>
  );
}
