import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/** Where a running `visavis serve` answers while the page is being worked on. */
const server = process.env.VISAVIS_SERVER ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../src/visavis/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  // Boards read data of the rules (maps, tokens) where it has its one home.
  server: { fs: { allow: ['..'] }, proxy: { '/api': { target: server, ws: true } } },
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
    // A busy machine needs its time, to load a module too.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
