import { Suspense } from 'react';
import { later } from '../../components/later.tsx';
import { X } from 'lucide-react';
import { openFile } from '../../model/files.ts';
import { Loading, State } from '@kit/State.tsx';
import { Remotely } from '../../components/Remotely.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

const CodeEditor = later(() => import('./CodeEditor.tsx'));

/** The source of the file at hand, at the line of the selection. */
export function CodeView() {
  const editor = useEditor();
  const file = useModel((model) => model.file);
  return (
    <section className="code" aria-label={messages.code}>
      {file === null ? (
        <State title={messages.nothingSelected} />
      ) : (
        <Remotely of={file.text} loading={messages.readingCode} failed={messages.failedCode} again={() => openFile(editor, file.path, null)}>
          {(text) => (
            <Suspense fallback={<Loading what={messages.readingCode} />}>
              <CodeEditor
                key={file.path}
                file={text}
                line={file.line}
                tools={
                  <button type="button" className="icon-button small" aria-label={`${messages.close}: ${messages.code}`} onClick={() => editor.store.setState({ code: false })}>
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
