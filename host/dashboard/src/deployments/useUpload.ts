/** The steps from a dropped folder to a live deployment. Each can be cancelled; a refusal leaves what was chosen for another try. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { uploadWords as words } from '../words/deployments.ts';
import { below, fromDrop, fromFiles, listArchive, packFolder, planOf, repackArchive, type Chosen, type Packed } from './pack/index.ts';
import { upload, type Uploaded } from './pack/upload.ts';

export type UploadState =
  | { is: 'idle' }
  | { is: 'reading'; words: string }
  /** `index.html` lies in one of these folders: somebody has to say which one is meant. */
  | { is: 'nested'; roots: string[] }
  | { is: 'packing'; percent: number }
  | { is: 'sending'; percent: number }
  | { is: 'publishing' }
  | { is: 'done'; uploaded: Uploaded }
  | { is: 'refused'; reason: string; canRetry: boolean };

export interface UploadSteps {
  state: UploadState;
  isBusy: boolean;
  drop: (data: DataTransfer) => void;
  choose: (files: Iterable<File>) => void;
  take: (root: string) => void;
  retry: () => void;
  /** Cancels what runs, and forgets what was chosen. */
  reset: () => void;
}

export function useUpload(projectId: string, onDone: (uploaded: Uploaded) => void): UploadSteps {
  const [state, setState] = useState<UploadState>({ is: 'idle' });
  const running = useRef<AbortController | null>(null);
  const chosen = useRef<Exclude<Chosen, { is: 'refused' }> | null>(null);
  const root = useRef('');
  const told = useRef(onDone);
  told.current = onDone;

  useEffect(() => () => running.current?.abort(), []);

  /** Runs one step after another; whatever is thrown is a refusal in words. */
  const run = useCallback((steps: (signal: AbortSignal) => Promise<void>): void => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    steps(stop.signal).catch((error: unknown) => {
      if (stop.signal.aborted) return;
      setState({ is: 'refused', reason: error instanceof Error ? error.message : String(error), canRetry: chosen.current !== null });
    });
  }, []);

  const publish = useCallback(
    async (signal: AbortSignal): Promise<void> => {
      const what = chosen.current;
      if (what === null) return;
      const onPacked = ({ done, total }: { done: number; total: number }): void => setState({ is: 'packing', percent: percent(done, total) });
      let body: Blob;
      if (what.is === 'archive' && root.current === '') body = what.file;
      else {
        setState({ is: 'packing', percent: 0 });
        const packed: Packed = what.is === 'folder' ? await packFolder(below(what.entries, root.current), onPacked, signal) : await repackArchive(what.file, root.current, onPacked, signal);
        body = packed.body;
      }
      setState({ is: 'sending', percent: 0 });
      const onSent = ({ done, total }: { done: number; total: number }): void => setState(done >= total ? { is: 'publishing' } : { is: 'sending', percent: percent(done, total) });
      const uploaded = await upload(projectId, body, onSent, signal);
      chosen.current = null;
      setState({ is: 'done', uploaded });
      told.current(uploaded);
    },
    [projectId],
  );

  const begin = useCallback(
    async (what: Chosen, signal: AbortSignal): Promise<void> => {
      if (what.is === 'refused') {
        chosen.current = null;
        return setState({ is: 'refused', reason: what.reason, canRetry: false });
      }
      root.current = '';
      chosen.current = null;
      if (what.is === 'archive') setState({ is: 'reading', words: words.looking });
      const paths = what.is === 'folder' ? what.entries.map(({ path }) => path) : await listArchive(what.file, signal).catch(() => Promise.reject(new Error(words.badArchive)));
      if (signal.aborted) return;
      chosen.current = what;
      const plan = planOf(paths);
      if (plan.is === 'none') {
        chosen.current = null;
        return setState({ is: 'refused', reason: words.noPage, canRetry: false });
      }
      if (plan.is === 'nested') return setState({ is: 'nested', roots: plan.roots });
      await publish(signal);
    },
    [publish],
  );

  const drop = useCallback(
    (data: DataTransfer): void => {
      setState({ is: 'reading', words: words.reading });
      run(async (signal) => begin(await fromDrop(data, signal), signal));
    },
    [begin, run],
  );
  const choose = useCallback((files: Iterable<File>): void => run((signal) => begin(fromFiles(files), signal)), [begin, run]);
  const take = useCallback(
    (folder: string): void => {
      root.current = folder;
      run(publish);
    },
    [publish, run],
  );
  const retry = useCallback((): void => run(publish), [publish, run]);
  const reset = useCallback((): void => {
    running.current?.abort();
    chosen.current = null;
    setState({ is: 'idle' });
  }, []);

  const isBusy = state.is === 'reading' || state.is === 'packing' || state.is === 'sending' || state.is === 'publishing';
  return { state, isBusy, drop, choose, take, retry, reset };
}

function percent(done: number, total: number): number {
  return total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100));
}
