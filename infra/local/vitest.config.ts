import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));

export default defineConfig({
  root,
  test: {
    // A synthesis of the stack takes five seconds, on two busy cores up to half a minute.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // By default, Vitest leaves one core free.
    maxWorkers: availableParallelism(),
    globalSetup: ['infra/local/tests/fixtures/run-folder.ts'],
    // The AWS SDK's clients need a region and credentials.
    env: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
    projects: ['unit', 'aws', 'cognito', 'stripe', 'world'].map((name) => ({
      extends: true as const,
      test: {
        name,
        include: [`infra/local/tests/${name}/**/*.test.ts`],
        setupFiles: name === 'unit' ? [] : ['infra/local/wire/wire-setup.ts'],
        // Importing modules is half of the CPU time here. Files of one worker share them: none changes a
        // module's state.
        isolate: name !== 'unit',
      },
    })),
  },
});
