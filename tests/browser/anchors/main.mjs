/**
 * The anchor corpus: pins on pages of real templates, the pages changed as a redeploy would, and what becomes of the pins.
 * `cargo xtask corpus anchors` runs it; `--help` lists the options.
 */
import { createServer } from 'node:http';
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { builds } from './app.mjs';
import { packages } from './packages.mjs';
import { sources } from './sources.mjs';
import { GOALS, LOOSE, Tally, tooSlow } from './tally.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const checkout = join(here, '../../..');
// The tests give their options as JSON.
const task = process.argv[2]?.startsWith('{') ? Object.entries(JSON.parse(process.argv[2])).flatMap(([key, value]) => [`--${key}`, ...(value === true ? [] : [String(value)])]) : process.argv.slice(2);
const { values: options } = parseArgs({
  args: task,
  options: {
    trials: { type: 'string', default: '1000' },
    pins: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    cache: { type: 'string', default: join(tmpdir(), 'galley-anchor-corpus') },
    loose: { type: 'boolean', default: false },
    sources: { type: 'boolean', default: false },
    verbose: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (options.help) {
  console.log(`cargo xtask corpus anchors [OPTIONS]
  --trials N   changed pages for each share of changed elements [1000]
  --pins N     pins on each page, two of which lose their element [10]
  --seed N     chooses pages, pins and changes [1]
  --cache DIR  where the templates are kept
  --loose      goals with room for chance, for short runs
  --sources    reads the pages' files without a browser: quick, for trying limits
  --verbose F  writes what became of each pin that was not right to this file, as JSON`);
  process.exit(0);
}
const [trials, pins, seed] = [options.trials, options.pins, options.seed].map(Number);

/** The code under test and the judge, each a script for the page. */
async function scripts() {
  const { build } = createRequire(join(checkout, 'editor/package.json'))('esbuild');
  const made = await build({ entryPoints: [join(here, 'reader.ts'), join(here, 'in_page.mjs')], bundle: true, format: 'iife', target: 'es2022', write: false, outdir: '/' });
  return made.outputFiles.map(({ text }) => text);
}

const TYPES = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.mjs': 'text/javascript', '.svg': 'image/svg+xml', '.json': 'application/json' };

/** Serves each package below its name and version. */
async function serve(all) {
  const roots = new Map([...all.map(({ name, version, root }) => [`${name}@${version}`, root]), ...Object.entries(app)]);
  const server = createServer((request, response) => {
    const [, which, ...rest] = decodeURIComponent(new URL(request.url, 'http://x').pathname).split('/');
    const root = roots.get(which);
    const path = root && join(root, normalize(`/${rest.join('/')}`));
    if (!path || !existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
    response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream');
    createReadStream(path).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}

const all = packages(options.cache);
const code = await scripts();
const tally = new Tally();
const pages = all.flatMap(({ name, version, pages }) => pages.map((path) => `${name}@${version}/${path}`));
console.log(`anchor corpus: ${trials} trials of each kind, ${pins} pins, ${pages.length} pages, seed ${seed}`);
const started = Date.now();

/** Opens pages with a stride through all of them, so that a short run sees every template. `open` gives a page's trial to its argument. */
async function walk(open) {
  const each = Math.max(1, Math.ceil(trials / pages.length));
  const stride = Math.max(1, Math.floor((pages.length * each) / trials));
  let [run, at] = [0, seed % pages.length];
  while (run < trials) {
    const path = pages[at % pages.length];
    at += stride % pages.length === 0 ? 1 : stride;
    const end = Math.min(run + each, trials);
    try {
      await open(path, async (trial) => {
        for (; run < end; run += 1) {
          for (const [kind, share, removed] of [['same build', 0, 0], ['4 %', 0.04, 2], ['16 %', 0.16, 2]]) {
            tally.add(kind, path, seed * 1_000_003 + run, await trial({ seed: seed * 1_000_003 + run, share, pins, removed }));
          }
        }
      });
    } catch (error) {
      // A template that leaves its own page, or has nothing to see.
      tally.skipped(path, error);
    }
    run = end;
  }
}

function finish(missed) {
  if (options.verbose) writeFileSync(options.verbose, JSON.stringify(tally.notes, null, 1));
  console.log(tally.report());
  console.log(`in ${Math.round((Date.now() - started) / 1000)} s`);
  missed.unshift(...tally.missed(options.loose ? LOOSE : GOALS));
  for (const line of missed) console.error(`missed: ${line}`);
  process.exit(missed.length > 0 ? 1 : 0);
}

if (options.sources) {
  const open = sources(checkout, all, code);
  await walk((path, run) => run(open(path)));
  finish([]);
}

const app = builds(options.cache);
const { server, origin } = await serve(all);
const profile = mkdtempSync(join(tmpdir(), 'galley-anchors-'));
const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const context = await chromium.launchPersistentContext(profile, { executablePath: process.env.GALLEY_CHROMIUM ?? '/usr/bin/chromium', headless: true, args, viewport: { width: 1280, height: 800 } });
await context.route((url) => url.origin !== origin, (route) => route.abort());

// The same page in every run, however busy the machine: its scripts have ended, and chance gives them the same numbers.
await context.addInitScript(() => {
  // In milliseconds.
  const [QUIET, LONGEST] = [300, 10_000];
  let state = 1;
  Math.random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  window.galleySettled = new Promise((done) => {
    let timer;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(done, QUIET);
    };
    addEventListener('load', () => {
      new MutationObserver(wait).observe(document, { childList: true, subtree: true, characterData: true });
      wait();
    });
    setTimeout(done, LONGEST);
  });
});

/** 200 pins on a page of 5,000 elements. */
async function speed() {
  const { name, version, pages } = all.at(-1);
  const page = await context.newPage();
  await page.goto(`${origin}/${name}@${version}/${pages[0]}`, { waitUntil: 'domcontentloaded' });
  for (const script of code) await page.evaluate(script);
  await page.evaluate(() => window.galleyCorpus.keep());
  const sources = all.flatMap(({ root, pages }) => pages.slice(0, 12).map((path) => readFileSync(join(root, path), 'utf8')));
  const figures = await page.evaluate((task) => window.galleyCorpus.speed(task), { seed, sources, size: 5_000, pins: 200 });
  await page.close();
  return figures;
}

/** The application's first build with pins on it, then the same build again and the second one. */
async function rebuilt() {
  const page = await context.newPage();
  const open = async (name) => {
    await page.goto(`${origin}/${name}/index.html`);
    await page.waitForSelector('[data-truth="title"]');
    for (const script of code) await page.evaluate(script);
  };
  await open('before');
  const pins = await page.evaluate(() => window.galleyCorpus.pinAll());
  for (const [kind, name] of [['Vite app, same build', 'before'], ['Vite app, next build', 'after']]) {
    await open(name);
    tally.add(kind, name, 0, await page.evaluate((pins) => window.galleyCorpus.judgeAll(pins), pins));
  }
  await page.close();
}

let figures;
try {
  figures = await speed();
  await rebuilt();
  await walk(async (path, run) => {
    const page = await context.newPage();
    try {
      await page.goto(`${origin}/${path}`, { waitUntil: 'domcontentloaded' });
      await page.evaluate(() => window.galleySettled);
      for (const script of code) await page.evaluate(script);
      await page.evaluate(() => window.galleyCorpus.keep());
      await run((task) => page.evaluate((task) => window.galleyCorpus.trial(task), task));
    } finally {
      await page.close();
    }
  });
} finally {
  await context.close();
  server.close();
  rmSync(profile, { recursive: true, force: true });
}
const ms = ({ total, longest }) => `${Math.round(total)} ms, the longest piece ${Math.round(longest * 10) / 10} ms`;
console.log(`${figures.pins} pins on ${figures.elements} elements: unchanged ${ms(figures.unchanged)}; searched ${ms(figures.searched)}`);
finish(tooSlow(figures, options.loose ? 4 : 1));
