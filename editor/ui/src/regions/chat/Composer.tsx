import { Send, Square, X } from 'lucide-react';
import { useId, type KeyboardEvent } from 'react';
import { chipsOf, promptOf, sendTurn, setPrompt, whyNotSend } from '../../model/chatting.ts';
import { chatStop } from '../../actions/chat_stop.ts';
import { useAction, useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

const MAX_TEXT = 32_000;
/** It grows with what is written, in lines. */
const MAX_LINES = 8;

/** Writing the next turn. What is selected goes along, and can be left out. */
export function Composer() {
  const editor = useEditor();
  const hint = useId();
  const text = useModel((model) => promptOf(model).text);
  const why = useModel(whyNotSend);
  const stop = useAction(chatStop);
  const key = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (why === null) void sendTurn(editor);
  };
  return (
    <form className="composer" onSubmit={(event) => (event.preventDefault(), void sendTurn(editor))}>
      <Selected />
      <textarea
        className="area"
        aria-label={messages.prompt}
        aria-describedby={hint}
        placeholder={messages.promptHint}
        maxLength={MAX_TEXT}
        rows={Math.min(MAX_LINES, Math.max(2, text.split('\n').length))}
        value={text}
        // Another text is another turn.
        onChange={(event) => setPrompt(editor, event.target.value === '' ? null : { text: event.target.value, turn: null })}
        onKeyDown={key}
      />
      <div className="foot">
        <span className="meta" id={hint}>{why ?? messages.promptKeys}</span>
        {stop.why === null ? (
          <button type="button" className="button" onClick={stop.perform}>
            <Square size={12} aria-hidden />
            {messages.stop}
          </button>
        ) : (
          <button type="submit" className="button primary" disabled={why !== null || text.trim() === ''}>
            <Send size={13} aria-hidden />
            {messages.send}
          </button>
        )}
      </div>
    </form>
  );
}

function Selected() {
  const { store } = useEditor();
  // The chips are made anew each time; their words are the same while nothing changed.
  const words = useModel((model) => chipsOf(model).map(({ label, src }) => label ?? src).join('\n'));
  if (words === '') return null;
  const leaveOut = (): void => store.setState(({ selection }) => ({ withoutSelection: selection?.number ?? null }));
  return (
    <div className="chips" role="group" aria-label={messages.aboutSelection}>
      {words.split('\n').map((word, index) => (
        <span key={index} className="chip">
          <span className="text">{word}</span>
          {index === 0 && (
            <button type="button" aria-label={messages.leaveOut} title={messages.leaveOut} onClick={leaveOut}>
              <X size={12} aria-hidden />
            </button>
          )}
        </span>
      ))}
    </div>
  );
}
