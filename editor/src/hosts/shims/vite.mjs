/**
 * The plugin for Vite and everything built on it. It stamps before any other plugin sees a file: `enforce: 'pre'` alone would
 * let a prototype's own early plugins go first, and then lines would be wrong.
 */
import { unwatchFile, watchFile } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { SETTINGS, stamp } from './client.mjs';

export default function galley() {
  return {
    name: 'galley:stamp',
    enforce: 'pre',
    apply: 'serve',
    configureServer(server) {
      startAgainWithTheEditor(server);
    },
    handleHotUpdate: { order: 'pre', handler: readStamped },
    transform: {
      order: 'pre',
      filter: { id: /\.(?:tsx|jsx|vue|js|mjs|astro|mdx|svelte)(?:\?|$)/ },
      handler: (code, id) => stamp(id, code),
    },
  };
}

/** Whoever compares a changed file with what was compiled (the plugin for Vue does) must see it as it was compiled. */
function readStamped(context) {
  const read = context.read;
  context.read = async () => {
    const code = await read.call(context);
    return (await stamp(context.file, code))?.code ?? code;
  };
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
