/**
 * The plugin for Vite and everything built on it. It stamps before any other plugin sees a file: `enforce: 'pre'` alone would
 * let a prototype's own early plugins go first, and then lines would be wrong.
 */
const { unwatchFile, watchFile } = require('node:fs');

const { SETTINGS, stamp } = require('./client.cjs');
const { ChangedScripts, customElements } = require('./vue.cjs');
const { tellAll } = require('./watching.cjs');

/** What the Editor keeps. It writes there with every edit, and nothing in it is of the prototype. */
const EDITORS_OWN = /[\\/]\.tool(?:[\\/]|$)/;

module.exports = function galley() {
  const scripts = new ChangedScripts();
  return [stamping(scripts), correcting(scripts)];
};

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
      tellAll(server.watcher, server.config.root);
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

/** In a dev server that was there before the Editor, modules were compiled without stamps: they are made anew. */
function startAgainWithTheEditor(server) {
  const changed = (now) => {
    if (now.mtimeMs === 0) return;
    const environments = Object.values(server.environments ?? {});
    for (const environment of environments) environment.moduleGraph?.invalidateAll();
    if (environments.length === 0) server.moduleGraph.invalidateAll();
    server.ws.send({ type: 'full-reload' });
  };
  watchFile(SETTINGS, { interval: 1_000, persistent: false }, changed);
  server.httpServer?.once('close', () => unwatchFile(SETTINGS, changed));
}
