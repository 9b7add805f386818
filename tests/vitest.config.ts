import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));
const projects = ['unit', 'infra', 'integration', 'contract', 'simulation'];
/** Projects whose messages to and from Stripe's stand-in are checked against Stripe's types. */
const recorded = new Set(['integration', 'contract']);

const replace = (find: RegExp, file: string) => ({
  find,
  replacement: fileURLToPath(new URL(`fixtures/product/${file}`, import.meta.url)),
});
const OFFERS = /^\.\/plans-and-offers\.ts$/;
/** Facts of the product that tests of a project replace, so that a rename or a changed price breaks none. */
const replaced: Readonly<Record<string, ReturnType<typeof replace>[]>> = {
  unit: [
    replace(/^(?:\.{1,2}\/)+(?:schemas\/)?(?:product\/)?product\.ts$/, 'product.ts'),
    replace(OFFERS, 'plus-alone.ts'),
  ],
  // The subscribers buy each of three offers.
  simulation: [replace(OFFERS, 'three-offers.ts')],
};

export default defineConfig({
  root,
  test: {
    // A world takes five seconds to synthesize and bundle, on two busy cores up to half a minute.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // By default, Vitest leaves one core free.
    maxWorkers: availableParallelism(),
    globalSetup: ['tests/fixtures/repository/run-folder.ts'],
    // The AWS SDK's clients need a region and credentials. No call leaves the machine: nothing answers there.
    env: {
      AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
    // Stryker's worker runs the unit tests alone.
    projects: (process.env['STRYKER_MUTATOR_WORKER'] ? ['unit'] : projects).map((name) => ({
      extends: true as const,
      test: {
        name,
        include: [`tests/${name}/**/*.test.ts`],
        // It imports JSON without saying so, which Node.js refuses and Vite doesn't.
        server: { deps: { inline: ['@actions/workflow-parser'] } },
        setupFiles: recorded.has(name)
          ? ['tests/fixtures/worlds/as-in-a-new-process.ts', 'infra/local/wire/wire-setup.ts']
          : [],
        // Advancing a test clock of Stripe's takes up to a minute.
        ...(name === 'contract' && process.env['STRIPE_SECRET_KEY'] && { testTimeout: 600_000 }),
        // Importing modules is half of the CPU time here. Files of one worker share them: none changes a
        // module's state, and what they replace is put back.
        isolate: false,
        alias: replaced[name] ?? [],
      },
    })),
  },
});
