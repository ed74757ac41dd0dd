import { useId, useLayoutEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent, type ReactNode } from 'react';
import { matchingPeople, mentionedIn, mentioningAt, withMention, type Person } from './mentions.ts';
import { listedOf, Options } from './Options.tsx';
import { words } from './words.ts';

export interface Writing {
  label: string;
  button: string;
  /** Who can be mentioned. */
  people: readonly Person[];
  /** Why nobody can be mentioned. */
  noPeople?: string | undefined;
  /** What `Mod+Enter` is called on this machine. */
  sendKeys: string;
  /** The text that was being written before, as `onDraft` told it. */
  draft?: string;
  /** Called with every change. */
  onDraft?: (body: string) => void;
  /** Called with pictures that were pasted. */
  onFiles?: (files: File[]) => void;
  /** Something to send besides the text, so that an empty text may be sent. */
  hasMore?: boolean;
  /** Tells whether it was sent: only then the field is emptied. */
  onSend: (body: string, mentions: string[]) => Promise<boolean>;
  onCancel?: (() => void) | undefined;
  autoFocus?: boolean;
  /** What stands between the field and its buttons. */
  children?: ReactNode;
}

const MAX_SHOWN = 8;
const MAX_LENGTH = 10_000;

/** Writing a comment or a reply. What was typed stays until it is sent; `@` names somebody of the project. */
export function WriteField({ label, button, people, noPeople, sendKeys, draft = '', onDraft, onFiles, hasMore = false, onSend, onCancel, autoFocus = false, children }: Writing) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [body, setBody] = useState(draft);
  const [caret, setCaret] = useState(0);
  const [wanted, setWanted] = useState<number | null>(null);
  const [picked, setPicked] = useState<Person[]>([]);
  const [closed, setClosed] = useState(false);
  const [at, setAt] = useState(0);
  const [sending, setSending] = useState(false);
  // React has put the new text into the field only now.
  useLayoutEffect(() => {
    if (wanted === null) return;
    field.current?.setSelectionRange(wanted, wanted);
    setWanted(null);
  }, [wanted]);

  const mentioning = closed ? null : mentioningAt(body, caret);
  const found = mentioning === null ? [] : matchingPeople(people, mentioning.typed).slice(0, MAX_SHOWN);
  const shown = found.length > 0;
  const unsendable = (body.trim() === '' && !hasMore) || sending;
  const change = (text: string, to: number): void => {
    setBody(text);
    setCaret(to);
    setAt(0);
    setClosed(false);
    onDraft?.(text);
  };
  const pick = (person: Person): void => {
    if (!mentioning) return;
    const next = withMention(body, mentioning, person.displayName);
    setPicked([...picked, person]);
    change(next.text, next.caret);
    setWanted(next.caret);
  };
  const send = async (): Promise<void> => {
    const text = body.trim();
    if (unsendable) return;
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
  const paste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (!onFiles || files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  };
  return (
    <>
      <Options
        id={id}
        label={words.people}
        open={shown}
        at={at}
        options={found.map(({ id: value, displayName, status }) => ({ value, label: displayName, ...(status === 'pending' ? { hint: words.invited } : {}) }))}
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
          maxLength={MAX_LENGTH}
          placeholder={people.length > 0 ? words.mentionHint : undefined}
          onChange={(event) => change(event.target.value, event.target.selectionStart)}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onBlur={() => setClosed(true)}
          onKeyDown={key}
          onPaste={paste}
        />
      </Options>
      {children}
      <div className="foot">
        {noPeople !== undefined && <span className="meta" title={noPeople}>{words.noPeople}</span>}
        <span className="meta">{sendKeys}</span>
        {onCancel && (
          <button type="button" className="button plain" onClick={onCancel}>
            {words.cancel}
          </button>
        )}
        <button type="button" className="button primary" disabled={unsendable} onClick={() => void send()}>
          {sending && <span className="spinner" />}
          {button}
        </button>
      </div>
    </>
  );
}
