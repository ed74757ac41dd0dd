import { FileText, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { readableKeys } from '../../actions/keys.ts';
import { dropDraft, keepDraft, noteKey } from '../../model/drafts.ts';
import { loadNotes, openNote, saveNote } from '../../model/files.ts';
import { State } from '@kit/State.tsx';
import { Remotely } from '../../components/Remotely.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { Note } from '../../api/project.ts';
import { messages } from '../../messages.ts';

/** Notes as Markdown files beside the prototype. */
export function NotesPanel() {
  const editor = useEditor();
  const notes = useModel((model) => model.notes);
  const note = useModel((model) => model.note);
  const drafts = useModel((model) => model.drafts);
  const [name, setName] = useState('');
  useEffect(() => {
    if (notes.is === 'idle') void loadNotes(editor);
  }, [editor, notes]);
  const make = (): void => {
    const wanted = name.trim();
    if (wanted === '') return;
    editor.store.setState({ note: { name: wanted, text: { is: 'ready', value: { text: '', hash: null } } } });
    setName('');
  };
  return (
    <>
      <form className="panel-bar" onSubmit={(event) => (event.preventDefault(), make())}>
        <input className="input" aria-label={messages.noteName} placeholder={messages.newNote} value={name} onChange={(event) => setName(event.target.value)} />
        <button type="submit" className="icon-button small" aria-label={messages.newNote}>
          <Plus size={15} aria-hidden />
        </button>
      </form>
      <Remotely of={notes} loading={messages.readingNotes} failed={messages.failedNotes} again={() => loadNotes(editor)}>
        {(names) =>
          names.length === 0 && note === null ? (
            <State title={messages.noNotes}>{messages.noNotesHelp}</State>
          ) : (
            <div className="chips" style={{ padding: 12 }}>
              {names.map((each) => (
                <button key={each} type="button" className={`badge${note?.name === each ? ' accent' : ''}`} aria-pressed={note?.name === each} onClick={() => void openNote(editor, each)}>
                  <FileText size={12} aria-hidden />
                  {each}
                  {drafts[noteKey(each)] !== undefined && <span className="hidden">, {messages.unsaved}</span>}
                  {drafts[noteKey(each)] !== undefined && <span className="dot warn" aria-hidden title={messages.unsaved} />}
                </button>
              ))}
            </div>
          )
        }
      </Remotely>
      {note && (
        <Remotely of={note.text} loading={messages.readingNotes} failed={messages.failedNotes}>
          {(value) => <Field key={note.name} name={note.name} note={value} />}
        </Remotely>
      )}
    </>
  );
}

function Field({ name, note }: { name: string; note: Note }) {
  const editor = useEditor();
  const draft = useModel((model) => model.drafts[noteKey(name)]);
  const { text, base } = draft ?? { text: note.text, base: note };
  const dirty = draft !== undefined || note.hash === null;
  const save = (): void => void (dirty ? saveNote(editor, name, text, base.hash) : undefined);
  return (
    <div className="write" style={{ flex: 1, gridTemplateRows: '1fr auto' }}>
      <textarea
        className="area mono"
        style={{ height: '100%' }}
        aria-label={name}
        value={text}
        onChange={({ target }) => keepDraft(editor, noteKey(name), note, target.value)}
        onKeyDown={(event) => {
          if (event.key.toLowerCase() !== 's' || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          save();
        }}
      />
      <div className="foot">
        {draft !== undefined && base.hash !== note.hash && (
          <button type="button" className="button plain" onClick={() => dropDraft(editor, noteKey(name))}>
            {messages.takeTheirs}
          </button>
        )}
        <span className="meta">{dirty ? messages.unsaved : readableKeys('Mod+S')}</span>
        <button type="button" className="button primary" disabled={!dirty} onClick={save}>
          {messages.save}
        </button>
      </div>
    </div>
  );
}
