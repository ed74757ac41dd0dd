/**
 * The steps from a dropped folder to a live deployment. Each can be cancelled; a refusal leaves what was chosen for another try.
 * An upload goes on while its reader looks at other pages of the app; whoever leaves the app meanwhile is asked.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { say } from '../shell/toasts.tsx';
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

export function useUpload({ id, name }: { id: string; name: string }, onDone: () => void): UploadSteps {
  const [state, setState] = useState<UploadState>({ is: 'idle' });
  const running = useRef<AbortController | null>(null);
  const chosen = useRef<Exclude<Chosen, { is: 'refused' }> | null>(null);
  const root = useRef('');

  const isBusy = state.is === 'reading' || state.is === 'packing' || state.is === 'sending' || state.is === 'publishing';
  const latest = useRef({ name, onDone, isBusy });
  latest.current = { name, onDone, isBusy };
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
      if (latest.current.isBusy) say(words.goesOn(latest.current.name));
    };
  }, []);

  /** Runs one step after another; whatever is thrown is a refusal in words. */
  const run = useCallback((steps: (signal: AbortSignal) => Promise<void>): void => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    const ended = new AbortController();
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal: ended.signal });
    const refuse = (error: unknown): void => {
      if (stop.signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      setState({ is: 'refused', reason, canRetry: chosen.current !== null });
      if (!isShown.current) say(words.refusedLater(latest.current.name, reason), 'bad');
    };
    void steps(stop.signal)
      .catch(refuse)
      .finally(() => ended.abort());
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
      const uploaded = await upload(id, body, onSent, signal);
      chosen.current = null;
      setState({ is: 'done', uploaded });
      if (!isShown.current) say(words.live(latest.current.name));
      latest.current.onDone();
    },
    [id],
  );

  const begin = useCallback(
    async (what: Chosen, signal: AbortSignal): Promise<void> => {
      root.current = '';
      chosen.current = null;
      if (what.is === 'refused') throw new Error(what.reason);
      if (what.is === 'archive') setState({ is: 'reading', words: words.looking });
      const paths = what.is === 'folder' ? what.entries.map(({ path }) => path) : await listArchive(what.file, signal).catch(() => Promise.reject(new Error(words.badArchive)));
      if (signal.aborted) return;
      const plan = planOf(paths);
      if (plan.is === 'none') throw new Error(words.noPage);
      // Who went on to another page cannot be asked.
      if (plan.is === 'nested' && !isShown.current) throw new Error(words.nestedTitle);
      chosen.current = what;
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

  return { state, isBusy, drop, choose, take, retry, reset };
}

function percent(done: number, total: number): number {
  return total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100));
}
