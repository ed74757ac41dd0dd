import { useState } from 'react';
import type { Choosing } from '../../model/model.ts';
import { Radios } from '../../components/Radios.tsx';
import { Window } from '../../components/Window.tsx';
import { messages } from '../../messages.ts';

/** An edit that could mean several things: which? */
export function ChooseDialog({ choosing }: { choosing: Choosing }) {
  const { refusal, choose, title } = choosing;
  const [at, setAt] = useState('0');
  const foot = (
    <>
      <button type="button" className="button" onClick={() => choose(null)}>
        {messages.cancel}
      </button>
      <button type="button" className="button primary" onClick={() => choose(refusal.choices[Number(at)] ?? null)}>
        {title}
      </button>
    </>
  );
  return (
    <Window title={messages.chooseTitle} about={refusal.reason} foot={foot} onClose={() => choose(null)}>
      <div onKeyDown={(event) => (event.key === 'Enter' ? choose(refusal.choices[Number(at)] ?? null) : undefined)}>
        <Radios label={messages.chooseTitle} value={at} options={refusal.choices.map(({ label }, index) => ({ value: String(index), label }))} onChange={setAt} />
      </div>
    </Window>
  );
}
