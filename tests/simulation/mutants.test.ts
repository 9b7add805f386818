import { describe, expect, test } from 'vitest';
import { findCounterexample, HISTORIES, SEED } from './find-counterexample.ts';
import { concurrentCancellation } from './history/history-arbitrary.ts';
import { mutants } from './mutants.ts';

const once = { seed: SEED, shrink: false };

describe('the simulation detects a product that', () => {
  test.each(Object.entries(mutants))('%s', async (name, { build, histories }) => {
    const found = await findCounterexample({ ...once, runs: HISTORIES, build, histories });
    process.stdout.write(`${name}: history ${found?.runs ?? 'none'}: ${found?.error ?? ''}\n`);
    expect(found).toBeDefined();
  });

  test.each(Object.entries(mutants).filter(([, { histories }]) => histories))(
    'and accepts the deployed product in the same histories: %s',
    async (_, { histories }) => {
      // The others are constant.
      const runs = histories === concurrentCancellation ? 30 : 1;
      expect((await findCounterexample({ ...once, runs, histories }))?.text).toBeUndefined();
    },
  );
});
