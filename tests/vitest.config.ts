import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  root,
  test: {
    // A whole world that is synthesised and bundled takes five seconds alone and half a minute beside another
    // on two busy cores; nothing here waits on time.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // Vitest leaves one core to itself, which on two cores is half of them.
    maxWorkers: availableParallelism(),
    globalSetup: ['tests/fixtures/run-folder.ts'],
    // The AWS SDK's clients need a region and credentials.
    env: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
    projects: ['unit', 'infra', 'integration', 'simulation'].map((name) => ({
      extends: true as const,
      test: { name, include: [`tests/${name}/**/*.test.ts`] },
    })),
  },
});
