/** Files as text: the code view, and notes. */
import { FileSchema, NoteSchema, NotesSchema, SavedSchema } from '../api/project.ts';
import { loading, settled } from '../api/result.ts';
import { draftSaved, fileKey, noteKey } from './drafts.ts';
import type { Editor } from './editor.ts';
import { parsePlace } from './place.ts';
import { sayRefusal, speak } from './say.ts';

/** Opens a file in the code view, at the line of a stamp. */
export async function openFile({ call, store }: Editor, path: string, at: string | null): Promise<void> {
  const line = at === null ? null : (parsePlace(at)?.line ?? null);
  const before = store.getState().file;
  const same = before?.path === path;
  store.setState({ file: { path, line, text: loading(same ? before.text : { is: 'idle' }) } });
  const text = settled(await call(FileSchema, '/api/editor/file', { query: { path } }));
  const now = store.getState().file;
  if (now?.path === path) store.setState({ file: { ...now, text } });
}

/** Gives the new hash, or null when the file was not saved. */
export async function saveFile(editor: Editor, path: string, text: string, hash: string): Promise<string | null> {
  const result = await editor.call(SavedSchema, '/api/editor/file', { method: 'PUT', body: { path, text, hash } });
  if (!result.ok) {
    sayRefusal(editor, `${path}: not saved`, result.refusal);
    return null;
  }
  draftSaved(editor, fileKey(path), { text, hash: result.value.hash });
  speak(editor, `Saved ${path}`);
  const { file } = editor.store.getState();
  if (file?.path === path) editor.store.setState({ file: { ...file, text: { is: 'ready', value: { path, text, hash: result.value.hash } } } });
  return result.value.hash;
}

export async function loadNotes({ call, store }: Editor): Promise<void> {
  store.setState(({ notes }) => ({ notes: loading(notes) }));
  const result = await call(NotesSchema, '/api/editor/notes/');
  store.setState({ notes: settled(result.ok ? { ok: true, value: result.value.notes } : result) });
}

export async function openNote({ call, store }: Editor, name: string): Promise<void> {
  store.setState({ note: { name, text: { is: 'loading', stale: null } } });
  const text = settled(await call(NoteSchema, `/api/editor/notes/${encodeURIComponent(name)}`));
  if (store.getState().note?.name === name) store.setState({ note: { name, text } });
}

export async function saveNote(editor: Editor, name: string, text: string, hash: string | null): Promise<boolean> {
  const result = await editor.call(SavedSchema, `/api/editor/notes/${encodeURIComponent(name)}`, { method: 'PUT', body: { text, hash } });
  if (!result.ok) {
    sayRefusal(editor, `${name}: not saved`, result.refusal);
    return false;
  }
  const { note } = editor.store.getState();
  if (note?.name === name) editor.store.setState({ note: { name, text: { is: 'ready', value: { text, hash: result.value.hash } } } });
  draftSaved(editor, noteKey(name), { text, hash: result.value.hash });
  speak(editor, `Saved ${name}`);
  void loadNotes(editor);
  return true;
}
