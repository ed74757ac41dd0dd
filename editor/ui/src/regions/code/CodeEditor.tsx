import { EditorView } from '@codemirror/view';
import { EditorState } from '@codemirror/state';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { saveFile } from '../../model/files.ts';
import { useDark, useEditor } from '../../react/use.ts';
import type { FileText } from '../../wire/project.ts';
import { words } from '../../words.ts';
import { extensions, revealLine } from './codemirror.ts';

/** CodeMirror over one file. Loaded only when the code view is opened. */
export default function CodeEditor({ file, line, tools }: { file: FileText; line: number | null; tools: ReactNode }) {
  const editor = useEditor();
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const saved = useRef(file);
  const [dirty, setDirty] = useState(false);
  const dark = useDark();

  useEffect(() => {
    const parent = place.current;
    if (!parent) return undefined;
    const save = (): boolean => {
      const text = view.current?.state.sliceDoc() ?? '';
      void saveFile(editor, saved.current.path, text, saved.current.hash).then((hash) => {
        if (hash === null) return;
        saved.current = { ...saved.current, text, hash };
        setDirty(view.current?.state.sliceDoc() !== text);
      });
      return true;
    };
    const changed = EditorView.updateListener.of((update) => (update.docChanged ? setDirty(update.state.sliceDoc() !== saved.current.text) : undefined));
    const { text, path } = saved.current;
    view.current = new EditorView({ parent, state: EditorState.create({ doc: text, extensions: [extensions(path, text, dark, save), changed] }) });
    return () => {
      view.current?.destroy();
      view.current = null;
    };
  }, [editor, dark]);

  // Changed on disk: taken over unless something is typed here that would be lost.
  useEffect(() => {
    const now = view.current;
    if (!now || file.hash === saved.current.hash) return;
    const own = now.state.sliceDoc() !== saved.current.text;
    saved.current = own ? saved.current : file;
    if (!own) now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: file.text } });
  }, [file]);

  useEffect(() => {
    if (view.current && line !== null) revealLine(view.current, line);
  }, [line, dark, file.path]);

  return (
    <>
      <div className="diff-head">
        <span className="path">
          <bdi>{file.path}</bdi>
        </span>
        {dirty && <span className="badge warn">{words.unsaved}</span>}
        {tools}
      </div>
      <div ref={place} className="editor" />
    </>
  );
}
