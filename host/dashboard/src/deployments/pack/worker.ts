/** The thread that packs. One task for each worker; ending the worker is how a task is cancelled. */
import { list, pack, repack } from './archive.ts';
import type { Answer, Task } from './messages.ts';

const scope = self as unknown as { postMessage(answer: Answer): void; onmessage: ((event: MessageEvent<Task>) => void) | null };

/** Milliseconds between two reports of progress. */
const REPORT_INTERVAL = 80;

scope.onmessage = ({ data }) => {
  let reported = 0;
  const onProgress = (progress: { done: number; total: number }): void => {
    const now = performance.now();
    if (now - reported < REPORT_INTERVAL) return;
    reported = now;
    scope.postMessage({ is: 'progress', progress });
  };
  run(data, onProgress).then(
    (answer) => scope.postMessage(answer),
    (error: unknown) => scope.postMessage({ is: 'failed', reason: error instanceof Error ? error.message : String(error) }),
  );
};

async function run(task: Task, onProgress: (progress: { done: number; total: number }) => void): Promise<Answer> {
  switch (task.do) {
    case 'pack':
      return { is: 'packed', packed: await pack(task.entries, onProgress) };
    case 'list':
      return { is: 'listed', paths: await list(task.archive) };
    case 'repack':
      return { is: 'packed', packed: await repack(task.archive, task.root, onProgress) };
  }
}
