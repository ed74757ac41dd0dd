import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The interface is served by the program itself, under a policy without inline scripts; so nothing may become a `data:` script. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // The code view with its languages is loaded when somebody opens it.
    chunkSizeWarningLimit: 700,
  },
  test: { include: ['test/**/*.test.ts'] },
});
