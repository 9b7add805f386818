/** Mutation tests of one module, on demand: tests/README.md has the command. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'tests/vitest.config.ts', dir: 'tests/unit/functions' },
  // TypeScript 7 has no interface for programs.
  tsconfigFile: 'none.json',
  mutate: ['functions/{domain,plans,accounts,apps,api,notices}/*.ts'],
  // A module's constant is evaluated before a test can choose its mutant.
  ignoreStatic: true,
  concurrency: 1,
  dryRunTimeoutMinutes: 30,
  timeoutMS: 60_000,
  reporters: ['clear-text'],
  clearTextReporter: { logTests: false },
  tempDirName: 'node_modules/.stryker',
};
