/** Ends the dev server and everything it started when the Editor is gone: then the standard input closes. */
import { rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

/** How long the dev server may take to end by itself, in milliseconds. */
const PATIENCE = 1_500;

let ending = false;

if (!isMainThread) {
  const editor = new Socket({ fd: 0, readable: true, writable: false });
  editor.on('error', end);
  editor.on('close', end);
  editor.resume();
}

export function end() {
  if (ending) return;
  ending = true;
  // The folder of this run: an Editor that was killed could not remove it.
  rmSync(fileURLToPath(new URL('.', import.meta.url)), { recursive: true, force: true });
  signal('SIGTERM');
  setTimeout(() => signal('SIGKILL'), PATIENCE);
}

/** To the whole process group, which this process leads. */
function signal(name) {
  try {
    process.kill(-process.pid, name);
  } catch {
    process.kill(process.pid, name);
  }
}
