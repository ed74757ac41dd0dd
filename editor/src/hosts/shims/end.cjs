/** How the dev server ends, and everything it started, when the Editor is gone. */
const { rmSync } = require('node:fs');

/** How long the dev server may take to end by itself, in milliseconds. */
const PATIENCE = 1_500;

let ending = false;

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
