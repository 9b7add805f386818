import { defineConfig } from 'playwright/test';
import { browserArguments, findBrowser } from './fixtures/browser.ts';

// Every worker process reads this file; the first process to read it looks for them all.
const executablePath = (process.env['SELFSAME_BROWSER'] ??= await findBrowser());

export default defineConfig({
  testDir: 'journeys',
  testMatch: '*.test.ts',
  outputDir: '../test-results',
  globalSetup: ['./fixtures/run-folder.ts', './fixtures/build-once.ts'],
  // A world of its own for each worker: two of them keep two cores busy.
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env['CI']),
  // A journey is a minute's work for a person; a busy machine may take as long.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    launchOptions: { executablePath, args: browserArguments },
    locale: 'en-US',
    // Nothing looks at motion but what says so, and drawing it takes a tenth of the time.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // A recording costs every journey a third of its time: `TRACE=1` for one that needs looking into.
    trace: process.env['TRACE'] ? 'retain-on-failure' : 'off',
  },
});
