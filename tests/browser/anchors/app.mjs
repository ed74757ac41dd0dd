/** An application made by create-vite, built twice from changed sources: the build renames, the author moves, and the truth is in `data-truth`. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const CREATE = 'vite@9.3.0';
const STYLE = ['app', 'banner', 'account', 'hero', 'grid'].map((name) => `.${name} { display: block; margin: 4px; }`).join('\n');

/** Builds both below `cache`, each in a folder of its own; what is there from the same sources stays. */
export function builds(cache) {
  const folder = join(cache, 'app');
  const sources = Object.fromEntries(['before', 'after'].map((name) => [name, readFileSync(join(here, `app/${name}.tsx`), 'utf8')]));
  const key = JSON.stringify({ CREATE, STYLE, ...sources });
  const stamp = join(folder, 'built.json');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== key) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const npm = (at, ...args) => execFileSync('npm', args, { cwd: at, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, CI: 'true' } });
    npm(folder, 'create', '--yes', CREATE, 'shop', '--', '--template', 'react-ts', '--no-interactive');
    const shop = join(folder, 'shop');
    npm(shop, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
    writeFileSync(join(shop, 'src/App.module.css'), STYLE);
    writeFileSync(join(shop, 'src/vite-env.d.ts'), '/// <reference types="vite/client" />\n');
    for (const [name, text] of Object.entries(sources)) {
      writeFileSync(join(shop, 'src/App.tsx'), text);
      npm(shop, 'exec', '--', 'vite', 'build', '--base', './', '--logLevel', 'error');
      cpSync(join(shop, 'dist'), join(folder, name), { recursive: true });
    }
    writeFileSync(stamp, key);
  }
  return { before: join(folder, 'before'), after: join(folder, 'after') };
}
