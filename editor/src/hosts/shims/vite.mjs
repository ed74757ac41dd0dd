/**
 * The plugin for Vite and everything built on it. It stamps before any other plugin sees a file: `enforce: 'pre'` alone would
 * let a prototype's own early plugins go first, and then lines would be wrong.
 */
import { statSync, unwatchFile, watchFile } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { SETTINGS, stamp } from './client.mjs';
import { ChangedScripts, customElements } from './vue.mjs';

/**
 * The watcher says nothing of a change within 50 ms of another one in the same file, in milliseconds with room to spare: an undo right
 * after an edit would never be seen.
 */
const LOOK_AGAIN = 80;

/** What the Editor keeps. It writes there with every edit, and nothing in it is of the prototype. */
const EDITORS_OWN = /[\\/]\.tool(?:[\\/]|$)/;

export default function galley() {
  const scripts = new ChangedScripts();
  return [stamping(scripts), correcting(scripts)];
}

function stamping(scripts) {
  let vue;
  const stamped = (id, code) => stamp(id, code, customElements(vue, code));
  return {
    name: 'galley:stamp',
    enforce: 'pre',
    apply: 'serve',
    config({ server }) {
      // Without a watcher (`null`) there is nothing to leave out, and an object here would start one.
      return server?.watch === null ? undefined : { server: { watch: { ignored: [EDITORS_OWN] } } };
    },
    configResolved(config) {
      vue = config.plugins.find((plugin) => plugin.name === 'vite:vue');
    },
    configureServer(server) {
      startAgainWithTheEditor(server);
      lookAgain(server.watcher);
    },
    handleHotUpdate: { order: 'pre', handler: (context) => readStamped(context, stamped) },
    transform: {
      order: 'pre',
      filter: { id: /\.(?:tsx|jsx|vue|js|mjs|astro|mdx|svelte)(?:\?|$)/ },
      handler(code, id, options) {
        if (id.endsWith('.vue')) scripts.note(environment(this, options), id, code);
        return stamped(id, code);
      },
    },
  };
}

/** Behind the plugin for Vue. */
function correcting(scripts) {
  return {
    name: 'galley:vue',
    enforce: 'post',
    apply: 'serve',
    transform: {
      filter: { id: /\.vue$/ },
      handler(code, id, options) {
        return id.endsWith('.vue') ? scripts.corrected(environment(this, options), id, code) : null;
      },
    },
  };
}

/** Who a module is compiled for. */
function environment(plugin, options) {
  return plugin.environment?.name ?? (options?.ssr ? 'ssr' : 'client');
}

/** Whoever compares a changed file with what was compiled (the plugin for Vue does) must see it as it was compiled. */
function readStamped(context, stamped) {
  const read = context.read;
  context.read = async () => {
    const code = await read.call(context);
    return (await stamped(context.file, code))?.code ?? code;
  };
}

/** After each change of a file looks whether another followed that the watcher kept to itself, and tells of it in its place. */
function lookAgain(watcher) {
  watcher.on('change', (file) => {
    const told = version(file);
    setTimeout(() => {
      const now = version(file);
      if (now !== undefined && now !== told) watcher.emit('change', file);
    }, LOOK_AGAIN).unref();
  });
}

/** Differs whenever a file was written or replaced; `undefined` when there is none. */
function version(file) {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat && `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
}

/** In a dev server that was there before the Editor, modules were compiled without stamps: they are made anew. */
function startAgainWithTheEditor(server) {
  const file = fileURLToPath(SETTINGS);
  const changed = (now) => {
    if (now.mtimeMs === 0) return;
    const environments = Object.values(server.environments ?? {});
    for (const environment of environments) environment.moduleGraph?.invalidateAll();
    if (environments.length === 0) server.moduleGraph.invalidateAll();
    server.ws.send({ type: 'full-reload' });
  };
  watchFile(file, { interval: 1_000, persistent: false }, changed);
  server.httpServer?.once('close', () => unwatchFile(file, changed));
}
