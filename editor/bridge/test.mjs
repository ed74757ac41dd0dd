// Runs the tests of the bridge: bundles each into a folder for the time of the run and hands them to Node's test runner.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
// Below node_modules, where imports of packages are found from.
const out = mkdtempSync(join(here, '../node_modules/.bridge-tests-'));
try {
  const tests = readdirSync(join(here, 'test')).filter((name) => name.endsWith('.test.ts'));
  await build({
    entryPoints: tests.map((name) => join(here, 'test', name)),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    sourcemap: 'inline',
    outExtension: { '.js': '.mjs' },
    outdir: out,
  });
  const files = tests.map((name) => join(out, name.replace(/\.ts$/, '.mjs')));
  const args = ['--enable-source-maps', '--test', '--test-reporter=spec', ...files];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
