import { Plus, X } from 'lucide-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { Window } from '@kit/Window.tsx';
import { SCHEMES, type Scheme } from '../../api/canvas.ts';
import { known } from '../../api/result.ts';
import { changeShots, draftOf, MAX_SHOTS, readShots, type ShotDraft } from '../../model/canvas.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

interface Row {
  id: number;
  draft: ShotDraft;
}

/** The pictures of the plan that is shown: added, changed and taken out. */
export default function PlanShots({ onClose }: { onClose: () => void }) {
  const editor = useEditor();
  const shown = useModel((model) => (model.plan ? known(model.plan.value) : null));
  // What was read when this was opened: who changed the file meanwhile is not overwritten.
  const [plan] = useState(shown);
  const [rows, setRows] = useState<Row[]>(() => (plan?.shots ?? []).map((shot, id) => ({ id, draft: draftOf(shot) })));
  const list = useRef<HTMLUListElement>(null);
  const [removed, setRemoved] = useState<number | null>(null);
  useEffect(() => {
    if (removed === null) return;
    const buttons = list.current?.querySelectorAll<HTMLElement>('button') ?? [];
    buttons[Math.min(removed, buttons.length - 1)]?.focus();
    setRemoved(null);
  }, [removed]);
  if (plan === null) return null;
  const read = readShots(rows.map(({ draft }) => draft));
  const wrong = 'wrong' in read ? read : null;
  const change = (id: number, part: Partial<ShotDraft>): void => setRows(rows.map((row) => (row.id === id ? { id, draft: { ...row.draft, ...part } } : row)));
  const add = (): void => {
    const draft = rows.at(-1)?.draft ?? { page: '/', width: '1280', scheme: 'light' };
    setRows([...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, draft: { ...draft, page: '' } }]);
  };
  const remove = (at: number): void => {
    setRows(rows.filter((_, index) => index !== at));
    setRemoved(at);
  };
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if ('shots' in read && (await changeShots(editor, plan, read.shots))) onClose();
  };
  const foot = (
    <>
      <button type="button" className="button" onClick={onClose}>
        {messages.cancel}
      </button>
      <button type="submit" form="plan-shots" className="button primary" disabled={wrong !== null}>
        {messages.save}
      </button>
    </>
  );
  return (
    <Window title={messages.planShotsTitle(plan.name)} about={messages.planShotsHelp} foot={foot} onClose={onClose}>
      <form id="plan-shots" className="form" onSubmit={(event) => void save(event)}>
        <ul className="shots" ref={list} aria-label={messages.planShotsTitle(plan.name)}>
          {rows.map(({ id, draft }, at) => (
            <Shot key={id} draft={draft} number={at + 1} isNew={id >= (plan.shots?.length ?? 0)} isWrong={wrong?.at === at} isLast={rows.length === 1} onChange={(part) => change(id, part)} onRemove={() => remove(at)} />
          ))}
        </ul>
        <p className="help" role="status">
          {wrong === null ? '' : messages.shotWrong[wrong.wrong](wrong.at + 1)}
        </p>
        <button type="button" className="button" disabled={rows.length >= MAX_SHOTS} onClick={add}>
          <Plus size={14} aria-hidden />
          {messages.addShot}
        </button>
      </form>
    </Window>
  );
}

function Shot({ draft, number, isNew, isWrong, isLast, onChange, onRemove }: { draft: ShotDraft; number: number; isNew: boolean; isWrong: boolean; isLast: boolean; onChange: (part: Partial<ShotDraft>) => void; onRemove: () => void }) {
  const labels = messages.shotParts(number);
  return (
    <li>
      <input className="input" autoFocus={isNew} aria-label={labels.page} aria-invalid={isWrong} title={labels.page} placeholder={messages.pageHint} spellCheck={false} value={draft.page} onChange={(event) => onChange({ page: event.target.value })} />
      <input className="input number" aria-label={labels.width} aria-invalid={isWrong} title={labels.width} placeholder={messages.widthHint} inputMode="numeric" value={draft.width} onChange={(event) => onChange({ width: event.target.value })} />
      <select className="select" aria-label={labels.scheme} value={draft.scheme} onChange={(event) => onChange({ scheme: event.target.value as Scheme })}>
        {SCHEMES.map((scheme) => (
          <option key={scheme} value={scheme}>
            {messages.scheme[scheme]}
          </option>
        ))}
      </select>
      <button type="button" className="icon-button small" aria-label={labels.remove} title={labels.remove} aria-disabled={isLast} onClick={() => (isLast ? undefined : onRemove())}>
        <X size={14} aria-hidden />
      </button>
    </li>
  );
}
