/**
 * Asks the Editor for the stamped text of a file. Whatever goes wrong, the answer is `null` and the dev server goes on with the
 * source as it is: a prototype never breaks because of the Editor.
 */
const { readFileSync, statSync } = require('node:fs');
const http = require('node:http');
const path = require('node:path');

/** Written beside this file by the Editor, anew for each run: `{ endpoint, token, root }`. */
const SETTINGS = path.join(__dirname, 'settings.json');

/**
 * How long a request may take, in milliseconds: far more than it needs, even when the machine is busy or another plugin keeps this
 * process from reading an answer that is there. Whoever gives up has elements without positions until the file changes.
 */
const TIMEOUT = 10_000;

/**
 * Requests at the same time, and the bytes of source and the modules of one of them. They keep a dev server from waiting for its last
 * module.
 */
const MAX_UNDER_WAY = 2;
const MAX_TOGETHER = 256 << 10;
const MAX_MODULES = 256;

/** What of answers is kept to be used again, in bytes: hosts that render on a server compile each module twice. */
const MAX_KEPT = 64 << 20;

/**
 * What may hold elements. A plain `.js` is asked for only when it looks as if it did. The last three hold markup that gets no
 * positions: the Editor hears of them, so that it can say so.
 */
const SOURCE = /\.(?:tsx|jsx|vue|js|mjs|astro|mdx|svelte)$/;
const LOOKS_LIKE_MARKUP = /<[A-Za-z>]/;

/** Queries under which a bundler hands out something else than the module itself. */
const OTHER_CONTENT = /(?:^|&)(?:raw|url|inline|worker|sharedworker|vue|html-proxy|commonjs-|astro|mdx)(?:[=&]|$)/;

const agent = new http.Agent({ keepAlive: true, maxSockets: 8, keepAliveMsecs: 30_000 });

let known = { settings: null, changed: -1 };

/** The settings of the Editor that runs now, or `null` when none does. Read again when an Editor started anew. */
function settings() {
  try {
    const changed = statSync(SETTINGS).mtimeMs;
    if (changed !== known.changed) known = { settings: JSON.parse(readFileSync(SETTINGS, 'utf8')), changed };
  } catch {
    known = { settings: null, changed: -1 };
  }
  return known.settings;
}

/** The path of a module below the prototype's root, `/` between its parts; `undefined` when it is none of ours to stamp. */
function sourcePath(id, code, root) {
  if (id.includes('\0')) return undefined;
  const at = id.indexOf('?');
  const file = at < 0 ? id : id.slice(0, at);
  const query = at < 0 ? '' : id.slice(at + 1);
  if (!SOURCE.test(file) || OTHER_CONTENT.test(query)) return undefined;
  const relative = path.relative(root, file).split(path.sep).join('/');
  if (relative === '' || relative.startsWith('../') || path.isAbsolute(relative)) return undefined;
  if (/(?:^|\/)node_modules\//.test(relative)) return undefined;
  if (/js$/.test(file) && !LOOKS_LIKE_MARKUP.test(code)) return undefined;
  // Frameworks make modules of their own under a source file's name. Only the file itself has positions.
  if (query !== '' && !isOnDisk(file, code)) return undefined;
  return relative;
}

function isOnDisk(file, code) {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '') === code.replace(/^\uFEFF/, '');
  } catch {
    return false;
  }
}

/** Opens the connection for the first module, while a dev server that begins waits for its configuration. */
function connect() {
  const current = settings();
  if (current) post(current, Buffer.alloc(0)).catch(() => {});
}

/**
 * The stamped text of a module and its source map, or `null` when it stays as it is. `custom` are the tags of it that Vue is told
 * are custom elements.
 */
async function stamp(id, code, custom = []) {
  const current = settings();
  if (!current) return null;
  const relative = sourcePath(id, code, current.root);
  if (relative === undefined) return null;
  try {
    const answer = await answerFor(current, { path: relative, code, custom });
    if (!answer?.ok || answer.elements === 0) return null;
    const sources = [relative.slice(relative.lastIndexOf('/') + 1)];
    const sourcesContent = [code.replace(/^\uFEFF/, '')];
    return { code: answer.code, map: { version: 3, names: [], sources, sourcesContent, mappings: answer.mappings } };
  } catch {
    return null;
  }
}

/** The last answer for each path with what it was given for, the one used longest ago first, and their bytes together. */
const kept = new Map();
let keptBytes = 0;

/**
 * The answer for a module. One that was given before is not sent again: the Editor is asked whether it still holds, by its `tag`,
 * and looks whether the file on disk still is that text.
 */
async function answerFor(current, module) {
  const known = kept.get(module.path);
  if (known?.token === current.token && known.code === module.code && sameTexts(known.custom, module.custom)) {
    const { same } = (await ask(current, { ...module, tag: known.answer.tag })) ?? {};
    if (same) {
      keep(known);
      return known.answer;
    }
  }
  const answer = await ask(current, module);
  if (answer?.tag) keep({ ...module, token: current.token, answer });
  return answer;
}

function sameTexts(some, others) {
  return some.length === others.length && some.every((text, at) => text === others[at]);
}

function keep(entry) {
  forget(entry.path);
  kept.set(entry.path, entry);
  keptBytes += size(entry);
  for (const path of kept.keys()) {
    if (keptBytes <= MAX_KEPT) break;
    forget(path);
  }
}

function forget(path) {
  const entry = kept.get(path);
  if (entry && kept.delete(path)) keptBytes -= size(entry);
}

function size({ path, code, answer }) {
  return path.length + code.length + answer.code.length + answer.mappings.length;
}

/** Modules that wait for a request, and how many requests are under way. */
let waiting = [];
let underWay = 0;

/**
 * Asks for one module. While requests are under way, those that come meanwhile wait and go together: a dev server that begins
 * discovers modules faster than it can ask for each.
 */
function ask(current, module) {
  return new Promise((resolve, reject) => {
    waiting.push({ current, module, resolve, reject });
    if (waiting.length === 1) queueMicrotask(send);
  });
}

function send() {
  if (waiting.length === 0 || underWay >= MAX_UNDER_WAY) return;
  const { current } = waiting[0];
  let bytes = 0;
  let count = 0;
  const parts = [];
  for (const { module, current: theirs } of waiting) {
    if (theirs !== current || bytes > MAX_TOGETHER || count === MAX_MODULES) break;
    const { path, custom, tag } = module;
    const code = Buffer.from(tag ? '' : module.code);
    const content = tag ? { tag } : { code: code.length };
    parts.push(Buffer.from(`${JSON.stringify({ path, ...content, custom })}\n`), code);
    bytes += code.length;
    count += 1;
  }
  const asked = waiting.splice(0, count);
  underWay += 1;
  post(current, Buffer.concat(parts))
    .then(
      (answers) => asked.forEach(({ resolve }, at) => resolve(answers?.[at] ?? null)),
      (error) => asked.forEach(({ reject }) => reject(error)),
    )
    .finally(() => {
      underWay -= 1;
      send();
    });
  send();
}

function post(current, body) {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/octet-stream',
      'content-length': body.length,
      'x-galley-token': current.token,
    };
    const request = http.request(current.endpoint, { method: 'POST', agent, headers, timeout: TIMEOUT }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode !== 200) return resolve(null);
        try {
          resolve(answers(Buffer.concat(parts)));
        } catch (error) {
          reject(error);
        }
      });
    });
    request.on('timeout', () => request.destroy(new Error('the Editor did not answer in time')));
    request.on('error', (error) => {
      // A connection that was kept may have been closed just before it was used again.
      if (request.reusedSocket && error.code === 'ECONNRESET') resolve(post(current, body));
      else reject(error);
    });
    request.end(body);
  });
}

/** For each module a line of JSON, and behind it the texts whose lengths in bytes it says. */
function answers(body) {
  const all = [];
  let at = 0;
  const text = (length) => {
    at += length;
    return body.toString('utf8', at - length, at);
  };
  while (at < body.length) {
    const head = JSON.parse(text(body.indexOf(10, at) + 1 - at));
    all.push('mappings' in head ? { ...head, code: text(head.code), mappings: text(head.mappings) } : head);
  }
  return all;
}

module.exports = { SETTINGS, connect, stamp };
