import { useState } from 'react';
import { edit } from '../../model/edits.ts';
import { mayAsk } from '../../model/models.ts';
import { longPlace } from '../../model/place.ts';
import { Radios } from '@kit/Radios.tsx';
import { Section } from '../../components/Section.tsx';
import { useDraft } from '../../components/useDraft.ts';
import { useEditor, useModel } from '../../react/use.ts';
import type { Inspection, Run } from '../../api/inspection.ts';
import { messages } from '../../messages.ts';
import { useWhere, WHERE } from './where.tsx';

/** The element's texts: where each comes from, and how far a change of it reaches. */
export function Content({ facts }: { facts: Inspection }) {
  if (facts.isComponent && facts.text.length === 0) return null;
  return (
    <Section title={messages.content}>
      {facts.text.length === 0 && <p className="help">{facts.can.text === true ? messages.noText : `${messages.noText} ${facts.can.text}`}</p>}
      {facts.text.map((run) => (
        <RunField key={run.run} run={run} alone={facts.text.length === 1} />
      ))}
    </Section>
  );
}

function RunField({ run, alone }: { run: Run; alone: boolean }) {
  const editor = useEditor();
  const choices = run.choices ?? [];
  const page = useModel((model) => model.selection?.target?.text ?? '');
  // Of several texts the one that the page shows here.
  const shown = alone && page !== '' ? choices.find(({ label }) => label.includes(`“${page}”`)) : undefined;
  const { draft, setDraft, dirty, sent, reset } = useDraft(shown ? page : run.text);
  const [choice, setChoice] = useState<string | null>(shown ? `${shown.option}:${shown.value}` : null);
  const chosen = choices.find(({ option, value }) => `${option}:${value}` === choice);
  const shared = run.shared ?? 1;
  // What cannot be done for certain is refused, and offered to a model then.
  const typable = useModel(mayAsk) || run.editable;
  const at = run.at === null ? '' : longPlace(run.at);
  const where = run.editable ? `Changes the ${messages.forms[run.form]} at ${at}${shared > 1 ? `, ${messages.shared(shared)}` : ''}` : (run.why ?? '');
  const told = useWhere(where);
  const save = async (): Promise<void> => {
    if (!dirty || !typable) return;
    sent();
    const before = shownText(page, run);
    const extra = { ...(before === '' ? {} : { before }), ...(chosen ? { [chosen.option]: chosen.value } : {}) };
    const done = await edit(editor, { kind: 'text', text: draft, run: run.run }, { title: 'Edit text', extra });
    if (!done) reset();
  };
  return (
    <div className="run" {...told}>
      <div className="run-head">
        <span className={`badge${run.editable ? '' : ' warn'}`}>{messages.forms[run.form]}</span>
        {shared > 1 && <span className="badge accent">{messages.shared(shared)}</span>}
        <span className="place">{at}</span>
      </div>
      <textarea
        className="area"
        aria-describedby={WHERE}
        aria-label={alone ? messages.content : messages.runLabel(run.run + 1)}
        rows={Math.min(6, Math.max(1, Math.ceil(draft.length / 36)))}
        style={{ minHeight: 0 }}
        readOnly={!typable}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') reset();
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            void save();
          }
        }}
      />
      {choices.length > 1 && run.editable && (
        <Radios
          label={messages.chooseTitle}
          value={choice}
          options={choices.map(({ option, value, label }) => ({ value: `${option}:${value}`, label }))}
          onChange={setChoice}
        />
      )}
      {!run.editable && run.why !== null && <p className="why">{run.why}</p>}
    </div>
  );
}

/** What the page showed before. Of an element with several texts it tells how they read together, of a long one the beginning. */
function shownText(page: string, { text }: Run): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  return page === '' || page.includes(plain) || plain.startsWith(page) ? text : page;
}
