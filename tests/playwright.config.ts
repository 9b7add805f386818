import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'playwright/test';
import { browserArguments, findBrowser } from './fixtures/browser/browser.ts';

// Every worker reads this file. The first process finds the browser, and its workers inherit the variable.
const executablePath = (process.env['SELFSAME_BROWSER'] ??= await findBrowser());
// The workers, their worlds and the functions in them compile the same code.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve(import.meta.dirname, '../node_modules/.cache/compiled');

export default defineConfig({
  testDir: 'journeys',
  testMatch: '*.test.ts',
  outputDir: '../test-results',
  globalSetup: ['./fixtures/repository/run-folder.ts', './fixtures/browser/build-once.ts'],
  // Each worker has its own world and its own browser.
  workers: Math.max(2, Math.ceil(availableParallelism() / 2)),
  fullyParallel: true,
  forbidOnly: Boolean(process.env['CI']),
  // A busy machine takes up to a minute for a journey.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    launchOptions: { executablePath, args: browserArguments },
    locale: 'en-US',
    // Animations take a tenth of the time. Tests of motion turn them on.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Recording makes journeys a third slower, so traces are only kept with `SELFSAME_TRACE=1`.
    trace: process.env['SELFSAME_TRACE'] ? 'retain-on-failure' : 'off',
  },
});
