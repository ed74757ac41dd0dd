// Makes dist/bridge-bundle.js, which is committed: the server needs no Node to start.
// Its first line names the sources it was made from, so that `cargo xtask` can tell a stale bundle without npm.
// `--check` builds and compares with the committed file instead of writing it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const bundle = join(here, 'dist/bridge-bundle.js');
/** What the bridge shares with the pages that frame it. */
const SHARED = ['anchor.ts', 'review.ts', 'samePage.ts'];
/** Bytes, compressed as a browser gets it. */
const LIMIT = 18 * 1024;

/** The digest xtask/src/bridge.rs computes too: each source's path and hash, then the version of Vite. */
function sourcesDigest() {
  const scripts = readdirSync(join(here, 'src')).filter((name) => name.endsWith('.ts'));
  const sources = ['build.mjs', ...SHARED.map((name) => `../kit/${name}`), ...scripts.map((name) => `src/${name}`)].sort();
  const digest = createHash('sha256');
  for (const path of sources) {
    digest.update(`${path}\n${createHash('sha256').update(readFileSync(join(here, path))).digest('hex')}\n`);
  }
  const { devDependencies } = JSON.parse(readFileSync(join(here, '../package.json'), 'utf8'));
  return digest.update(`vite ${devDependencies.vite}\n`).digest('hex');
}

// Vite's minifier leaves 4 % less than esbuild's, compressed.
const [{ output }] = await build({
  configFile: false,
  logLevel: 'error',
  build: {
    target: 'es2022',
    minify: 'oxc',
    write: false,
    rolldownOptions: { optimization: { inlineConst: true } },
    lib: { entry: join(here, 'src/main.ts'), formats: ['iife'], name: 'galleyBridge', fileName: 'bridge' },
  },
});
const banner = `// Galley bridge; sources sha256:${sourcesDigest()}\n`;
// Style sheets in templates: their white space is only there to be read.
const code = output[0].code.replace(/`\n:host[^`]*`/g, (sheet) => sheet.replace(/\s+/g, ' ').replace(/ ?([{};:,]) /g, '$1').replace(/;}/g, '}'));
const made = Buffer.from(banner + code.replace(/\n\s*/g, '\n'));
const weight = gzipSync(made, { level: 9 }).length;
if (weight > LIMIT) {
  console.error(`bridge-bundle.js has ${weight} bytes compressed; it goes into every page and must stay below ${LIMIT}`);
  process.exit(1);
}
if (process.argv.includes('--check')) {
  if (!existsSync(bundle) || !readFileSync(bundle).equals(made)) {
    console.error('editor/bridge/dist/bridge-bundle.js is stale: run `npm run build:bridge` in editor/ and commit it');
    process.exit(1);
  }
} else {
  mkdirSync(dirname(bundle), { recursive: true });
  writeFileSync(bundle, made);
  console.error(`bridge-bundle.js: ${made.length} bytes, ${weight} compressed`);
}
