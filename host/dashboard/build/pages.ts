import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * While developing: gives each address of the pages its HTML file with the key of the session, and sends everything else to a
 * running host (`GALLEY`), which must have this server's address as SERVICE_PUBLIC_URL and a build of the pages.
 */
export function pages(): Plugin {
  const target = process.env['GALLEY'] ?? 'http://localhost:4310';
  const proxied = { target, changeOrigin: false };
  return {
    name: 'pages',
    apply: 'serve',
    config: () => ({
      server: { proxy: { '/api': proxied, '/p/': proxied, '/open': proxied, '/sign-in': proxied, '/galley.': proxied, '^/\\.galley/(?!app/)': proxied } },
    }),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const address = request.url ?? '/';
        const file = request.headers.accept?.includes('text/html') ? documentOf(address) : null;
        if (file === null) return next();
        const answer = async (): Promise<void> => {
          const [html, key] = await Promise.all([readFile(join(server.config.root, file), 'utf8'), keyOf(target + address, request.headers)]);
          const page = await server.transformIndexHtml(`/${file}`, html);
          response.setHeader('content-type', 'text/html');
          response.end(page.replaceAll('__GALLEY_KEY__', key));
        };
        answer().catch(next);
      });
    },
  };
}

/** The HTML file behind an address of the pages. */
function documentOf(address: string): string | null {
  const path = address.split('?')[0] ?? '/';
  if (/^\/projects\/[^/]+\/?$/.test(path)) return 'review.html';
  return /^\/(?:$|projects\/|instance|you|x\/)/.test(path) ? 'app.html' : null;
}

/** The key the host writes into its own page at `address` for the session of a request; the place for it when there is none. */
async function keyOf(address: string, headers: IncomingHttpHeaders): Promise<string> {
  const asked = await fetch(address, { headers: { accept: 'text/html', host: headers.host ?? '', cookie: headers.cookie ?? '' }, redirect: 'manual' }).catch(() => null);
  const html = (await asked?.text()) ?? '';
  return /name="galley-key" content="([^"]*)"/.exec(html)?.[1] ?? '__GALLEY_KEY__';
}
