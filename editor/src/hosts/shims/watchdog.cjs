/** Ends the dev server and everything it started when the Editor is gone: then the standard input closes. */
const { rmSync } = require('node:fs');
const { Socket } = require('node:net');
const { isMainThread } = require('node:worker_threads');

/** How long the dev server may take to end by itself, in milliseconds. */
const PATIENCE = 1_500;

let ending = false;

if (!isMainThread) {
  const editor = new Socket({ fd: 0, readable: true, writable: false });
  editor.on('error', end);
  editor.on('close', end);
  editor.resume();
}

function end() {
  if (ending) return;
  ending = true;
  // The folder of this run: an Editor that was killed could not remove it.
  rmSync(__dirname, { recursive: true, force: true });
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

module.exports = { end };
