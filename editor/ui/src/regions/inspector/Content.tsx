import { useState } from 'react';
import { edit } from '../../model/edits.ts';
import { mayAsk } from '../../model/models.ts';
import { longPlace } from '../../model/place.ts';
import { textsOf } from '../../model/texts.ts';
import { Radios } from '@kit/Radios.tsx';
import { Section } from '../../components/Section.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { Inspection, Run } from '../../api/inspection.ts';
import type { Aim } from '../../model/edit_queue.ts';
import { messages } from '../../messages.ts';
import { useAimedDraft } from './useAimedDraft.ts';
import { useWhere, WHERE } from './where.tsx';

/** The element's texts: where each comes from, and how far a change of it reaches. */
export function Content({ facts }: { facts: Inspection }) {
  const texts = textsOf(facts);
  if (facts.isComponent && texts.length === 0) return null;
  return (
    <Section title={messages.content}>
      {texts.length === 0 && <p className="help">{`${messages.noText} ${facts.can.text}`}</p>}
      {texts.map((run) => (
        <RunField key={run.run} run={run} alone={texts.length === 1} />
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
  const { draft, setDraft, refused, save, reset } = useAimedDraft(shown ? page : run.text, shownText(page, run));
  const [choice, setChoice] = useState<string | null>(shown ? `${shown.option}:${shown.value}` : null);
  const chosen = choices.find(({ option, value }) => `${option}:${value}` === choice);
  const shared = run.shared ?? 1;
  // What cannot be done for certain is refused, and offered to a model then.
  const typable = useModel(mayAsk) || run.editable;
  const at = run.at === null ? '' : longPlace(run.at);
  const where = run.editable ? `Changes the ${messages.forms[run.form]} at ${at}${shared > 1 ? `, ${messages.shared(shared)}` : ''}` : (run.why ?? '');
  const told = useWhere(where);
  const write = (again?: boolean): void => {
    if (!typable) return;
    const extra = chosen ? { [chosen.option]: chosen.value } : {};
    // What was chosen need not be what the page shows.
    const edited = (aim: Aim) => edit(editor, { kind: 'text', text: draft, run: run.run }, { title: 'Edit text', extra, aim: chosen ? { ...aim, before: null } : aim });
    void save(edited, again);
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
        aria-invalid={refused}
        onBlur={() => write()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') reset();
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            write(true);
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

/**
 * The text that is typed over. Where it can be one of several, the page tells which: of an element with several texts how they read
 * together, of a long one the beginning.
 */
function shownText(page: string, { text, editable, choices }: Run): string | null {
  const plain = text.replace(/\s+/g, ' ').trim();
  const isOne = editable && (choices ?? []).length === 0;
  return (isOne || page === '' || page.includes(plain) || plain.startsWith(page) ? text : page) || null;
}
