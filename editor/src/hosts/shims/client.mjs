/**
 * Asks the Editor for the stamped text of a file. Whatever goes wrong, the answer is `null` and the dev server goes on with the
 * source as it is: a prototype never breaks because of the Editor.
 */
import { readFileSync, statSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';

/** Written beside this file by the Editor, anew for each run: `{ endpoint, token, root }`. */
const SETTINGS = new URL('./settings.json', import.meta.url);

/**
 * How long a file may take, in milliseconds: far more than it needs, even when the machine is busy or another plugin keeps this
 * process from reading an answer that is there. Who gives up has elements without positions until the file changes.
 */
const PATIENCE = 10_000;

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
export function settings() {
  try {
    const changed = statSync(SETTINGS).mtimeMs;
    if (changed !== known.changed) known = { settings: JSON.parse(readFileSync(SETTINGS, 'utf8')), changed };
  } catch {
    known = { settings: null, changed: -1 };
  }
  return known.settings;
}

/** Where the settings stand, for whoever wants to watch them. */
export { SETTINGS };

/** The path of a module below the prototype's root, `/` between its parts; `undefined` when it is none of ours to stamp. */
export function sourcePath(id, code, root) {
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

/**
 * The stamped text of a module and its source map, or `null` when it stays as it is. `custom` are the tags of it that Vue is told
 * are custom elements.
 */
export async function stamp(id, code, custom = []) {
  const current = settings();
  if (!current) return null;
  const relative = sourcePath(id, code, current.root);
  if (relative === undefined) return null;
  try {
    const answer = await post(current, JSON.stringify({ path: relative, code, custom }));
    if (typeof answer?.code !== 'string' || answer.code === code) return null;
    return { code: answer.code, map: typeof answer.map === 'string' ? JSON.parse(answer.map) : (answer.map ?? null) };
  } catch {
    return null;
  }
}

function post(current, body) {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-galley-token': current.token,
    };
    const request = http.request(current.endpoint, { method: 'POST', agent, headers, timeout: PATIENCE }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode !== 200) return resolve(null);
        try {
          resolve(JSON.parse(Buffer.concat(parts).toString('utf8')));
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
