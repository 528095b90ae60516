import { defineConfig } from '@playwright/test';

import browser from '../playwright.config';

/** Not a test: the same browser and server, used as a camera. */
export default defineConfig(browser, {
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  retries: 0,
});
