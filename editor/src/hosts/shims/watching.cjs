/** What the watcher of a dev server is corrected in: changes that it keeps to itself. */
const { statSync, watch } = require('node:fs');
const path = require('node:path');

/**
 * The watcher says nothing of a change within 50 ms of another one in the same file, in milliseconds with room to spare: an undo right
 * after an edit would never be seen.
 */
const LOOK_AGAIN = 80;

/**
 * After a change of a file looks whether another followed that the watcher did not tell of, and tells of it in its place. What is not
 * below `root` it watches file by file, and where a process has two of Vite's servers, as Nuxt's has, they share the watch of a file. When
 * the file is replaced by another, each of them goes back to the watch that the other one still has, of the file that is gone, and
 * nobody hears of it again: so the folders of such files are watched here.
 */
function tellAll(watcher, root) {
  const told = new Map();
  const folders = new Map();
  const lookAgain = (file) => {
    setTimeout(() => {
      const now = version(file);
      if (now === undefined || now === told.get(file)) return;
      // As the watcher does itself: Nuxt's renderer listens to all events alike.
      watcher.emit('change', file);
      watcher.emit('all', 'change', file);
    }, LOOK_AGAIN).unref();
  };
  const follow = (folder) => {
    if (folders.has(folder)) return;
    const changed = (_, name) => {
      if (watcher.closed) return folders.get(folder)?.close();
      const file = path.join(folder, String(name));
      if (told.has(file)) lookAgain(file);
    };
    try {
      const following = watch(folder, { persistent: false }, changed);
      folders.set(folder, following);
      following.on('error', () => folders.delete(folder) && following.close());
    } catch {
      // A folder that cannot be watched leaves what the watcher tells by itself.
    }
  };
  watcher.on('change', (file) => {
    told.set(file, version(file));
    lookAgain(file);
    if (isOutside(root, file)) follow(path.dirname(file));
  });
}

/** Differs whenever a file was written or replaced; `undefined` when there is none. */
function version(file) {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat && `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
}

function isOutside(root, file) {
  const relative = path.relative(root, file);
  return relative.startsWith('..') || path.isAbsolute(relative);
}

module.exports = { tellAll };
