import { lazy, Suspense } from 'react';
import { X } from 'lucide-react';
import { openFile } from '../../model/files.ts';
import { Loading, Remotely, State } from '../../parts/State.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { words } from '../../words.ts';

const CodeEditor = lazy(() => import('./CodeEditor.tsx'));

/** The source of the file at hand, at the line of the selection. */
export function CodeView() {
  const editor = useEditor();
  const file = useModel((model) => model.file);
  return (
    <section className="code" aria-label={words.code}>
      {file === null ? (
        <State title={words.nothingSelected} />
      ) : (
        <Remotely of={file.text} loading={words.readingCode} failed={words.failedCode} again={() => openFile(editor, file.path, null)}>
          {(text) => (
            <Suspense fallback={<Loading what={words.readingCode} />}>
              <CodeEditor
                key={file.path}
                file={text}
                line={file.line}
                tools={
                  <button type="button" className="icon-button small" aria-label={`${words.close}: ${words.code}`} onClick={() => editor.store.setState({ code: false })}>
                    <X size={14} aria-hidden />
                  </button>
                }
              />
            </Suspense>
          )}
        </Remotely>
      )}
    </section>
  );
}
