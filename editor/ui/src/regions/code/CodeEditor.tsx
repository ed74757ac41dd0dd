import { EditorView } from '@codemirror/view';
import { EditorState } from '@codemirror/state';
import { useEffect, useRef, type ReactNode } from 'react';
import { dropDraft, fileKey, keepDraft } from '../../model/drafts.ts';
import { saveFile } from '../../model/files.ts';
import type { Draft } from '../../model/model.ts';
import { useDark, useEditor, useModel } from '../../react/use.ts';
import type { FileText } from '../../api/project.ts';
import { messages } from '../../messages.ts';
import { extensions, revealLine } from './codemirror.ts';

/** CodeMirror over one file. Loaded only when the code view is opened. */
export default function CodeEditor({ file, line, tools }: { file: FileText; line: number | null; tools: ReactNode }) {
  const editor = useEditor();
  const { path } = file;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const key = fileKey(path);
  // What was typed and not saved, when the file was closed or the colours changed meanwhile.
  const saved = useRef<Draft['base']>(editor.store.getState().drafts[key]?.base ?? file);
  const dirty = useModel((model) => model.drafts[key] !== undefined);
  const newer = useModel((model) => model.drafts[key] !== undefined && model.drafts[key].base.hash !== file.hash);
  const dark = useDark();

  useEffect(() => {
    const parent = place.current;
    if (!parent) return undefined;
    const save = (): boolean => {
      const text = view.current?.state.sliceDoc() ?? '';
      void saveFile(editor, path, text, saved.current.hash ?? '').then((hash) => {
        if (hash !== null) saved.current = { text, hash };
      });
      return true;
    };
    const changed = EditorView.updateListener.of((update) => (update.docChanged ? keepDraft(editor, key, saved.current, update.state.sliceDoc()) : undefined));
    const text = editor.store.getState().drafts[key]?.text ?? saved.current.text;
    view.current = new EditorView({ parent, state: EditorState.create({ doc: text, extensions: [extensions(path, text, dark, save), changed] }) });
    return () => {
      view.current?.destroy();
      view.current = null;
    };
  }, [editor, dark, key, path]);

  // Changed on disk: taken over unless something is typed here that would be lost.
  useEffect(() => {
    const now = view.current;
    if (!now || file.hash === saved.current.hash) return;
    if (editor.store.getState().drafts[key] !== undefined) return;
    saved.current = file;
    if (now.state.sliceDoc() === file.text) return;
    now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: file.text } });
  }, [editor, file, key, dirty]);

  useEffect(() => {
    if (view.current && line !== null) revealLine(view.current, line);
  }, [line, dark, file.path]);

  return (
    <>
      <div className="diff-head">
        <span className="path">
          <bdi>{file.path}</bdi>
        </span>
        {dirty && <span className="badge warn">{messages.unsaved}</span>}
        {newer && (
          <button type="button" className="button plain" onClick={() => dropDraft(editor, key)}>
            {messages.takeTheirs}
          </button>
        )}
        {tools}
      </div>
      <div ref={place} className="editor" />
    </>
  );
}
