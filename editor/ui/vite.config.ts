import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Bytes of script, as served, that may be loaded before the first thing is seen. */
const BUDGET = 700_000;

/** Fails a build whose first script outgrew the budget. The code view with its languages is loaded when somebody opens it. */
function budget(): Plugin {
  return {
    name: 'budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const first = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName, imports }) => [fileName, ...imports]));
      const bytes = chunks.filter(({ fileName }) => first.has(fileName)).reduce((sum, { code }) => sum + Buffer.byteLength(code), 0);
      if (bytes > BUDGET) this.error(`The first script is ${bytes} bytes, more than the ${BUDGET} it may be: load what is not needed at once with import()`);
    },
  };
}

/** The interface is served by the program itself, under a policy without inline scripts; so nothing may become a `data:` script. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), budget()],
  resolve: { alias: { '@kit': resolve(import.meta.dirname, '../kit') }, dedupe: ['react', 'react-dom', 'radix-ui', 'lucide-react'] },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: BUDGET / 1000,
  },
  test: { include: ['test/**/*.test.ts'] },
});
