import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompressed } from './precompressed.mjs';

/** Address of the API for `npx vite console`. */
const API = process.env.CONSOLE_API ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/console/',
  plugins: [react(), precompressed()],
  build: {
    target: 'es2022',
    // The content security policy forbids data: URLs for scripts and styles, and a separate icon file is cached.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // LiveKit's client is large, but it's loaded only when a person listens in or tries an agent.
    chunkSizeWarningLimit: 600,
    // Licences of the bundled packages.
    license: { fileName: 'licenses.md' },
  },
  server: { proxy: { '/api': API, '/healthz': API, '/readyz': API } },
});
