import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Fails a build in which a page loads more kilobytes, gzipped, before it shows something than its budget says. */
export function budgets(kilobytes: Record<string, number>): Plugin {
  return {
    name: 'budgets',
    apply: 'build',
    generateBundle(_, bundle) {
      const size = (name: string): number => {
        const file = bundle[name];
        if (!file) return 0;
        return gzipSync(file.type === 'chunk' ? file.code : file.source).length;
      };
      for (const [page, limit] of Object.entries(kilobytes)) {
        const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry && file.name === page);
        if (!entry) this.error(`There is no page ${page}`);
        const first = new Set<string>();
        const follow = (name: string): void => {
          const file = bundle[name];
          if (file?.type !== 'chunk' || first.has(name)) return;
          first.add(name);
          for (const style of file.viteMetadata?.importedCss ?? []) first.add(style);
          file.imports.forEach(follow);
        };
        follow(entry.fileName);
        const bytes = [...first].reduce((sum, name) => sum + size(name), 0);
        const text = `${page}.html loads ${(bytes / 1000).toFixed(1)} of ${limit} kB (gzipped) at first`;
        if (bytes > limit * 1000) this.error(`${text}: load what is not needed at once with import()`);
        this.info(text);
      }
    },
  };
}
