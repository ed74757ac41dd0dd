import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { readableKeys } from '../../actions/keys.ts';
import { loadParticipants } from '../../model/loading.ts';
import { matchingPeople, mentionedIn, mentioningAt, withMention } from '../../model/mentions.ts';
import { listedOf, Options } from '../../components/Options.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { Participant } from '../../api/project.ts';
import { known } from '../../api/result.ts';
import { messages } from '../../messages.ts';

interface Given {
  label: string;
  button: string;
  onSend: (body: string, mentions: string[]) => Promise<boolean>;
  onCancel?: () => void;
  autoFocus?: boolean;
}

const NOBODY: Participant[] = [];
const MOST = 8;

/** Writing a comment or a reply. What was typed stays until it is sent; `@` names somebody of the project. */
export function WriteField({ label, button, onSend, onCancel, autoFocus = false }: Given) {
  const editor = useEditor();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const participants = useModel((model) => model.participants);
  const people = known(participants) ?? NOBODY;
  const [body, setBody] = useState('');
  const [caret, setCaret] = useState(0);
  const [wanted, setWanted] = useState<number | null>(null);
  const [picked, setPicked] = useState<Participant[]>([]);
  const [closed, setClosed] = useState(false);
  const [at, setAt] = useState(0);
  const [sending, setSending] = useState(false);
  useEffect(() => {
    if (participants.is === 'idle') void loadParticipants(editor);
  }, [editor, participants]);
  // React has put the new text into the field only now.
  useLayoutEffect(() => {
    if (wanted === null) return;
    field.current?.setSelectionRange(wanted, wanted);
    setWanted(null);
  }, [wanted]);

  const mentioning = closed ? null : mentioningAt(body, caret);
  const found = mentioning === null ? NOBODY : matchingPeople(people, mentioning.typed).slice(0, MOST);
  const shown = found.length > 0;
  const change = (text: string, to: number): void => {
    setBody(text);
    setCaret(to);
    setAt(0);
    setClosed(false);
  };
  const pick = (person: Participant): void => {
    if (!mentioning) return;
    const next = withMention(body, mentioning, person.displayName);
    setPicked([...picked, person]);
    change(next.text, next.caret);
    setWanted(next.caret);
  };
  const send = async (): Promise<void> => {
    const text = body.trim();
    if (text === '' || sending) return;
    setSending(true);
    const sent = await onSend(text, mentionedIn(text, people, picked));
    setSending(false);
    if (sent) change('', 0);
  };
  const key = (event: KeyboardEvent): void => {
    const person = found[at];
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) return void send();
    if (shown && event.key === 'ArrowDown') setAt((at + 1) % found.length);
    else if (shown && event.key === 'ArrowUp') setAt((at + found.length - 1) % found.length);
    else if (shown && person && (event.key === 'Enter' || event.key === 'Tab')) pick(person);
    else if (shown && event.key === 'Escape') setClosed(true);
    else if (event.key === 'Escape') return onCancel?.();
    else return;
    event.preventDefault();
  };
  return (
    <>
      <Options
        id={id}
        label={messages.people}
        open={shown}
        at={at}
        options={found.map(({ id: value, displayName, status }) => ({ value, label: displayName, ...(status === 'pending' ? { hint: messages.invited } : {}) }))}
        onPick={(value) => {
          const person = found.find((each) => each.id === value);
          if (person) pick(person);
        }}
      >
        <textarea
          ref={field}
          className="area"
          aria-label={label}
          {...listedOf(id, shown, at)}
          autoFocus={autoFocus}
          value={body}
          maxLength={10_000}
          placeholder={people.length > 0 ? messages.mentionHint : undefined}
          onChange={(event) => change(event.target.value, event.target.selectionStart)}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onBlur={() => setClosed(true)}
          onKeyDown={key}
        />
      </Options>
      <div className="foot">
        {participants.is === 'refused' && <span className="meta" title={participants.refusal.reason}>{messages.noPeople}</span>}
        <span className="meta">{readableKeys('Mod+Enter')}</span>
        {onCancel && (
          <button type="button" className="button plain" onClick={onCancel}>
            {messages.cancel}
          </button>
        )}
        <button type="button" className="button primary" disabled={body.trim() === '' || sending} onClick={() => void send()}>
          {sending && <span className="spinner" />}
          {button}
        </button>
      </div>
    </>
  );
}
