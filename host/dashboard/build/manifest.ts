import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'vite';

/** Writes `manifest.json` beside the built files: their names with the SHA-256 of each. The host serves nothing else. */
export function manifest(): Plugin {
  let folder = '';
  return {
    name: 'manifest',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle(error) {
      if (error) return;
      const names = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
        .filter((name) => name !== 'manifest.json')
        .sort();
      const files = Object.fromEntries(names.map((name) => [name, createHash('sha256').update(readFileSync(join(folder, name))).digest('hex')]));
      writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
    },
  };
}
