import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompressed } from './precompressed.mjs';

/** Where `npx vite console` looks for the API; `npm start` prints its address. */
const API = process.env.CONSOLE_API ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/console/',
  plugins: [react(), precompressed()],
  build: {
    target: 'es2022',
    // The policy of the page allows no data: scripts or styles; an icon that is a file of its own is cached as one.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The client of LiveKit, which is loaded with the first call that somebody listens to.
    chunkSizeWarningLimit: 600,
    // Of the packages that are in it.
    license: { fileName: 'licenses.md' },
  },
  server: { proxy: { '/api': API, '/healthz': API, '/readyz': API, '/playground': API } },
});
