/**
 * Packing for an upload, off the main thread: `packFolder(entries, onProgress, signal)` makes the body of
 * `POST …/deployments`. `choose.ts` and `upload.ts` are the steps before and after it.
 */
import type { Packed, Progress } from './archive.ts';
import type { Answer, Task } from './messages.ts';
import type { PackEntry } from './plan.ts';
import workerUrl from './worker.ts?worker&url';

export { fromDrop, fromFiles, isArchive, type Chosen } from './entries.ts';
export { below, planOf, type PackEntry, type Plan } from './plan.ts';
export type { Packed, Progress } from './archive.ts';

/** Packs a folder. Rejects with an `AbortError` when the signal says so, else with a reason in words. */
export function packFolder(entries: readonly PackEntry[], onProgress: (progress: Progress) => void, signal?: AbortSignal): Promise<Packed> {
  return packed({ do: 'pack', entries: [...entries] }, onProgress, signal);
}

/** The same for one folder of an archive. */
export function repackArchive(archive: Blob, root: string, onProgress: (progress: Progress) => void, signal?: AbortSignal): Promise<Packed> {
  return packed({ do: 'repack', archive, root }, onProgress, signal);
}

/** The paths of an archive's files. */
export async function listArchive(archive: Blob, signal?: AbortSignal): Promise<string[]> {
  const answer = await perform({ do: 'list', archive }, () => undefined, signal);
  return answer.is === 'listed' ? answer.paths : [];
}

async function packed(task: Task, onProgress: (progress: Progress) => void, signal?: AbortSignal): Promise<Packed> {
  const answer = await perform(task, onProgress, signal);
  if (answer.is !== 'packed') throw new Error('The folder was not packed.');
  return answer.packed;
}

function perform(task: Task, onProgress: (progress: Progress) => void, signal?: AbortSignal): Promise<Answer> {
  return new Promise((done, fail) => {
    if (signal?.aborted) return fail(aborted());
    const worker = new Worker(trusted(workerUrl) as URL, { type: 'module' });
    const end = (): void => {
      worker.terminate();
      signal?.removeEventListener('abort', stop);
    };
    const stop = (): void => {
      end();
      fail(aborted());
    };
    signal?.addEventListener('abort', stop);
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (data.is === 'progress') return onProgress(data.progress);
      end();
      if (data.is === 'failed') fail(new Error(data.reason));
      else done(data);
    };
    worker.onerror = (event) => {
      end();
      fail(new Error(event.message === '' || event.message === undefined ? 'The packing thread did not start. Reload the page.' : event.message));
    };
    worker.postMessage(task);
  });
}

function aborted(): DOMException {
  return new DOMException('Cancelled', 'AbortError');
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): unknown };
}
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** The page requires Trusted Types: the only script address that is made here is the bundled worker's. */
function trusted(url: string): unknown {
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  if (!types) return url;
  policy ??= types.createPolicy('galley-pack', {
    createScriptURL: (address) => {
      if (address !== workerUrl) throw new TypeError('Only the packing worker may be started.');
      return address;
    },
  });
  return policy.createScriptURL(url);
}
