/** Where a build is dropped or chosen, with what becomes of it. */
import { Archive, CircleAlert, CircleCheck, FolderUp } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { deploymentWords, uploadWords as words } from '../words/deployments.ts';
import { UploadProgress } from './UploadProgress.tsx';
import type { UploadSteps } from './useUpload.ts';

export function DropZone({ steps, seeAddress, aside }: { steps: UploadSteps; seeAddress: string; aside?: ReactNode }) {
  const isOver = useFileDrop(steps.isBusy ? null : steps.drop);
  const { state } = steps;
  return (
    <section className={`dropzone${isOver ? ' over' : ''} ${state.is}`} aria-label={words.title}>
      {isOver ? <p className="drop-words">{words.dropNow}</p> : <Step steps={steps} seeAddress={seeAddress} aside={aside} />}
    </section>
  );
}

function Step({ steps, seeAddress, aside }: { steps: UploadSteps; seeAddress: string; aside?: ReactNode }) {
  const { state, reset } = steps;
  const again = (label: string): ReactNode => (
    <button type="button" className="button" onClick={reset}>
      {label}
    </button>
  );
  switch (state.is) {
    case 'idle':
      return (
        <>
          <div className="grow">
            <h2>{words.title}</h2>
            <p className="help">{words.help}</p>
          </div>
          <Choose onFiles={steps.choose} />
          {aside}
        </>
      );
    case 'reading':
    case 'packing':
    case 'sending':
    case 'publishing':
      return <UploadProgress steps={steps} />;
    case 'nested':
      return (
        <>
          <div className="grow">
            <h2>{words.nestedTitle}</h2>
            <p className="help">{words.nested}</p>
          </div>
          <div className="button-row">
            {state.roots.map((root, at) => (
              <button key={root} type="button" className={`button${at === 0 ? ' primary' : ''}`} autoFocus={at === 0} onClick={() => steps.take(root)}>
                {words.take(root)}
              </button>
            ))}
            {again(words.cancel)}
          </div>
        </>
      );
    case 'done':
      return (
        <>
          <CircleCheck size={18} aria-hidden className="good" />
          <p className="grow" role="status">
            {words.done(deploymentWords.number(state.uploaded.number, state.uploaded.deploymentId))}
          </p>
          <a className="button" href={seeAddress}>
            {words.see}
          </a>
          {again(words.another)}
        </>
      );
    case 'refused':
      return (
        <>
          <CircleAlert size={18} aria-hidden className="bad" />
          <div className="grow" role="alert">
            <h2>{words.refused}</h2>
            <p>{state.reason}</p>
          </div>
          {state.canRetry && (
            <button type="button" className="button primary" onClick={steps.retry}>
              {words.again}
            </button>
          )}
          {again(words.dismiss)}
        </>
      );
  }
}

function Choose({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  const folder = useRef<HTMLInputElement>(null);
  const archive = useRef<HTMLInputElement>(null);
  // React does not know the attribute.
  useEffect(() => folder.current?.setAttribute('webkitdirectory', ''), []);
  const pick = (input: HTMLInputElement): void => {
    const files = [...(input.files ?? [])];
    input.value = '';
    if (files.length > 0) onFiles(files);
  };
  return (
    <div className="button-row">
      <input ref={folder} type="file" multiple hidden data-choose="folder" onChange={({ currentTarget }) => pick(currentTarget)} />
      <input ref={archive} type="file" accept=".gz,.tgz,application/gzip" hidden data-choose="archive" onChange={({ currentTarget }) => pick(currentTarget)} />
      <button type="button" className="button primary" onClick={() => folder.current?.click()}>
        <FolderUp size={15} aria-hidden />
        {words.folder}
      </button>
      <button type="button" className="button" onClick={() => archive.current?.click()}>
        <Archive size={15} aria-hidden />
        {words.archive}
      </button>
    </div>
  );
}

/** Takes files dropped anywhere on the page, so that a near miss does not leave it. Answers whether some hover over it. */
function useFileDrop(onDrop: ((data: DataTransfer) => void) | null): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onDrop);
  take.current = onDrop;
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let depth = 0;
    const hasFiles = (event: DragEvent): event is DragEvent & { dataTransfer: DataTransfer } => event.dataTransfer?.types.includes('Files') === true;
    const listen = (name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent & { dataTransfer: DataTransfer }) => void): void => {
      window.addEventListener(
        name,
        (event) => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          act(event);
        },
        { signal },
      );
    };
    listen('dragenter', () => setOver(++depth > 0 && take.current !== null));
    listen('dragover', (event) => (event.dataTransfer.dropEffect = take.current === null ? 'none' : 'copy'));
    listen('dragleave', () => --depth <= 0 && setOver(false));
    listen('drop', (event) => {
      depth = 0;
      setOver(false);
      take.current?.(event.dataTransfer);
    });
    return () => stop.abort();
  }, []);
  return isOver;
}
