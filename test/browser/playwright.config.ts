import { defineConfig } from '@playwright/test';
import { getProgram } from '../support/programs.js';

/** Real Chromium against the built product; the files share one gateway, the first five minutes have their own. */
export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '**/*.spec.ts',
  outputDir: '../../test-results/browser',
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: 'line',
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // Drawing what moves without a graphics card is a tenth of the cost, and waiting for it more; first-five-minutes has it moving.
    contextOptions: { reducedMotion: 'reduce' },
    permissions: ['clipboard-read', 'clipboard-write'],
    actionTimeout: 15_000,
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? getProgram('chromium'),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage'],
    },
  },
});
