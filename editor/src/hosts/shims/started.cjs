/** What Vite is told besides where stamps come from when the Editor is who starts it. */
const { existsSync } = require('node:fs');
const path = require('node:path');

module.exports = function started() {
  return {
    name: 'galley:started',
    apply: 'serve',
    enforce: 'post',
    config({ root = '.', cacheDir }) {
      const folder = path.resolve(root);
      return { cacheDir: ownCache(folder, cacheDir), server: { warmup: { clientFiles: firstPage(folder) } } };
    },
  };
};

/**
 * Vite prepares all dependencies anew when a plugin came or went, and puts them where those of the server without it were: whoever
 * starts the Editor and the own dev server in turns would wait for that each time, and with both at once one of them would take
 * away the files of the other. So what the Editor starts keeps them in a folder of its own, inside of the prototype's.
 */
function ownCache(root, cacheDir) {
  return path.join(path.resolve(root, cacheDir ?? usualCache(root)), 'galley');
}

/** Where Vite keeps them when nobody says so. */
function usualCache(root) {
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return path.join(folder, 'node_modules/.vite');
    if (path.dirname(folder) === folder) return path.join(root, '.vite');
  }
}

/** The page that the Editor opens is always looked at: its modules are compiled while the server begins to listen. */
function firstPage(root) {
  return existsSync(path.join(root, 'index.html')) ? ['index.html'] : [];
}
