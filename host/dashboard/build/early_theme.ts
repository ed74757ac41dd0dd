import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * Puts `file` into the head of each page as a script that runs before anything is painted, so that a chosen theme does not
 * flash. A file of its own, because the pages' policy forbids inline scripts.
 */
export function earlyTheme(file: string): Plugin {
  const source = readFileSync(file, 'utf8');
  const name = `assets/theme-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`;
  return {
    name: 'early-theme',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (!request.url?.endsWith(name)) return next();
        response.setHeader('content-type', 'text/javascript');
        response.end(source);
      });
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `/.galley/app/${name}` }, injectTo: 'head' }],
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: name, source });
    },
  };
}
