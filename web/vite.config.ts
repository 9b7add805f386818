import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { htmlPerPage } from './html-per-page.ts';
import { notFound, pages } from './src/pages.ts';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), htmlPerPage({ pages, notFound })],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Data URLs are strings in the script that nobody caches alone, and the policy would have to allow them.
    assetsInlineLimit: 0,
  },
});
