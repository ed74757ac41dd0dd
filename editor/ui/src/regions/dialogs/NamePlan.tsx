import { useState, type FormEvent } from 'react';
import { Window } from '@kit/Window.tsx';
import { makePlan, renamePlan, shotsOf } from '../../model/canvas.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

/** Files have no longer names. */
const MAX_NAME = 100;

/** Names a plan of what the canvas shows, or the plan that is shown anew. */
export default function NamePlan({ renames = false, onClose }: { renames?: boolean; onClose: () => void }) {
  const editor = useEditor();
  const plan = useModel((model) => model.plan?.name ?? '');
  const pictures = useModel((model) => shotsOf(model.board).length);
  const [name, setName] = useState(renames ? plan : '');
  const wanted = name.trim();
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (wanted === '') return;
    const same = renames && wanted === plan;
    if (same || (await (renames ? renamePlan(editor, plan, wanted) : makePlan(editor, wanted)))) onClose();
  };
  const foot = (
    <>
      <button type="button" className="button" onClick={onClose}>
        {messages.cancel}
      </button>
      <button type="submit" form="name-plan" className="button primary" disabled={wanted === ''}>
        {renames ? messages.rename : messages.makePlan}
      </button>
    </>
  );
  return (
    <Window title={renames ? messages.planRename : messages.planNew} {...(renames ? {} : { about: messages.planNewHelp(pictures) })} foot={foot} onClose={onClose}>
      <form id="name-plan" className="form" onSubmit={(event) => void save(event)}>
        <label>
          {messages.planName}
          <input className="input" maxLength={MAX_NAME} placeholder={messages.planNamed} value={name} onChange={(event) => setName(event.target.value)} />
        </label>
      </form>
    </Window>
  );
}
