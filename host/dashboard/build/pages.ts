import type { Plugin } from 'vite';

/** While developing: gives each address of the pages its HTML file, and sends everything else to a running host (`GALLEY`). */
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
      server.middlewares.use((request, _, next) => {
        const path = (request.url ?? '/').split('?')[0] ?? '/';
        if (request.headers.accept?.includes('text/html')) {
          if (/^\/projects\/[^/]+\/?$/.test(path)) request.url = '/.galley/app/review.html';
          else if (/^\/(?:$|projects\/|instance|you|x\/)/.test(path)) request.url = '/.galley/app/app.html';
        }
        next();
      });
    },
  };
}
