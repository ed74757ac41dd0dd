import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { budgets } from './build/budgets.ts';
import { earlyTheme } from './build/early_theme.ts';
import { head } from './build/head.ts';
import { manifest } from './build/manifest.ts';
import { pages } from './build/pages.ts';

/** Kilobytes, gzipped, of script and style that each page may load before it shows something. */
const BUDGETS = { app: 150, review: 130 };

const here = import.meta.dirname;

/** The pages are served under a policy without inline scripts; so nothing may become a `data:` script. */
export default defineConfig({
  root: here,
  base: '/.galley/app/',
  publicDir: false,
  plugins: [react(), head(resolve(here, 'build/head.html')), earlyTheme(resolve(here, 'src/shell/early_theme.js')), pages(), budgets(BUDGETS), manifest()],
  resolve: {
    alias: { '@kit': resolve(here, '../../editor/kit') },
    // The kit lies beside the Editor's packages: one copy of each for a page.
    dedupe: ['react', 'react-dom', 'radix-ui', 'lucide-react'],
  },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { app: resolve(here, 'app.html'), review: resolve(here, 'review.html') } },
  },
  worker: { format: 'es' },
  test: { include: ['test/**/*.test.{ts,tsx,mjs}', 'src/**/*.test.{ts,tsx}'] },
});
