/**
 * Starts a prototype's own dev server, with the prototype's own packages, in this process. The first line of its standard input
 * is JSON: `{ kind, root, port, secret, config, mode, bin, arguments, adapter }`. It runs in the prototype's root. Node itself
 * starts while the Editor still looks at the prototype, of which nothing runs before that line.
 *
 * It and what it needs are CommonJS, which Node reads in one go: modules are looked for one after the other, for a hundredth of
 * the time that a dev server takes to start.
 */
const { readFileSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');

const { end } = require('./end.cjs');

/** When the thread of the watchdog starts, in milliseconds: a thread takes a tenth of a dev server's own start away from it. */
const STARTED = 3_000;

// As Vite's own program does, where Node can.
enableCompileCache?.();

// The Editor holds the other end of the standard input. However it ends, this end sees it: at first between two steps of the
// dev server's start, then from a thread, which sees it even while the dev server is busy.
process.stdin.once('end', end);

const HOSTS = { vite: startVite, 'react-router': startVite, astro: startAstro, nuxt: startProgram, next: startProgram };

/** What the Editor wants started. */
let task;
firstLine(process.stdin).then(start);

async function start(line) {
  task = JSON.parse(line);
  process.stdin.resume().unref?.();
  if (task.adapter) process.env.NEXT_ADAPTER_PATH = task.adapter;
  setTimeout(() => {
    process.stdin.off('end', end).pause();
    const { Worker } = require('node:worker_threads');
    new Worker(path.join(__dirname, 'watchdog.cjs'), { stdin: false }).unref();
  }, STARTED).unref();
  try {
    await HOSTS[task.kind]();
  } catch (error) {
    const missing = missingModule(error);
    if (missing) tell({ missing });
    console.error(error?.stack ?? error);
    process.exit(1);
  }
}

/** The line that the Editor writes once it knows what to start. */
function firstLine(stream) {
  return new Promise((resolve) => {
    let text = '';
    stream.setEncoding('utf8').on('data', function take(piece) {
      text += piece;
      if (!text.includes('\n')) return;
      stream.off('data', take);
      resolve(text);
    });
  });
}

async function startVite() {
  const { createServer } = await own('vite');
  // No `root`: the configuration may name one.
  const server = await createServer({
    configFile: task.config ?? undefined,
    mode: task.mode ?? undefined,
    clearScreen: false,
    server: { host: '127.0.0.1', port: task.port, strictPort: true, open: false },
    plugins: [meanwhile(plugins)],
  });
  await server.listen();
  const { https } = server.config.server;
  tell({ ready: { secure: Boolean(https), base: server.config.base } });
  server.printUrls();
}

async function startAstro() {
  const [{ dev }, ours] = await Promise.all([own('astro'), plugins()]);
  const server = await dev({
    configFile: task.config ?? undefined,
    mode: task.mode ?? undefined,
    server: { host: '127.0.0.1', port: task.port, open: false },
    vite: { clearScreen: false, server: { strictPort: true }, plugins: ours },
  });
  // Astro moves on to another port when this one was taken meanwhile.
  tell({ ready: { port: server.address?.port } });
}

/** Does what takes time once this process would only wait: Vite reads its configuration in threads of its own. */
function meanwhile(work) {
  return new Promise((resolve) => setImmediate(resolve)).then(work);
}

/** What Vite gets. The first module finds its connection open. */
function plugins() {
  const [galley, started, { connect }] = [require('./vite.cjs'), require('./started.cjs'), require('./client.cjs')];
  connect();
  return [galley(), started()];
}

/** Programs that are their own command line: in this process, so that it is the one the Editor watches. */
async function startProgram() {
  process.argv = [process.argv[0], task.bin, ...task.arguments];
  await import(pathToFileURL(task.bin).href);
}

/** A package of the prototype, as an `import` in the prototype's root would find it. */
async function own(name) {
  for (let folder = task.root; ; folder = path.dirname(folder)) {
    const found = path.join(folder, 'node_modules', name);
    const description = read(path.join(found, 'package.json'));
    if (description) return import(pathToFileURL(path.join(found, entry(description))).href);
    if (path.dirname(folder) === folder) break;
  }
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function entry({ exports, module, main }) {
  const pick = (value) => {
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.map(pick).find(Boolean);
    for (const [condition, inner] of Object.entries(value ?? {})) {
      if (!['node', 'import', 'module', 'default'].includes(condition)) continue;
      const found = pick(inner);
      if (found) return found;
    }
    return undefined;
  };
  return pick(exports?.['.'] ?? exports) ?? module ?? main ?? 'index.js';
}

/** The package a configuration asks for in vain. */
function missingModule(error) {
  if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(error?.code)) return undefined;
  const [, name, , from] = /Cannot find (?:module|package) '([^']+)'( imported from '?([^'\n]+))?/.exec(error.message) ?? [];
  if (!name) return undefined;
  return { name: name.startsWith('file:') ? fileURLToPath(name) : name, from: from ?? null };
}

/** Says something to the Editor, on a line of its own. */
function tell(message) {
  process.stdout.write(`\n${task.secret}${JSON.stringify(message)}\n`);
}
