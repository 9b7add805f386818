import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import * as z from 'zod';

/** The explained differences, in order: the first row that fits explains an assertion that failed. */
const Differences = z.array(
  z.strictObject({
    difference: z.string(),
    /** Matches the failure: its message and its compared values. */
    shows: z.string(),
    /** Matches the full names of the tests. @default all */
    tests: z.string().optional(),
    right: z.enum(['stand-in', 'no document says', 'not about Cognito']),
    document: z.url().optional(),
  }),
);

const rows = Differences.parse(
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'differences.json'), 'utf8')),
).map((row) => ({
  ...row,
  fits: (test: string, failure: string) =>
    (row.tests === undefined || new RegExp(row.tests).test(test)) && new RegExp(row.shows, 's').test(failure),
  count: 0,
}));

type Failure = { name: string; message: string; diff?: string };

const textOf = ({ name, message, diff = '' }: Failure): string =>
  stripVTControlCharacters(`${name}: ${message}\n${diff}`);

/** Explains each assertion that failed by a row of differences.json, and fails if one has none. */
export default class DifferencesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { message: string }[]): void {
    const problems = errors.map(({ message }) => message);
    const tests: TestCase[] = [];
    for (const module of modules) {
      for (const suite of [module, ...module.children.allSuites()]) {
        for (const { message } of suite.errors()) problems.push(`${module.relativeModuleId}: ${message}`);
      }
      tests.push(...module.children.allTests());
    }
    const unsupported = new Set<string>();
    const counts = { agree: 0, differ: 0, unsupported: 0, assertions: 0, differences: 0 };
    for (const test of tests) {
      const failures = (test.result().errors ?? []) as Failure[];
      const meta = test.meta();
      if (meta.unsupported !== undefined) {
        unsupported.add(meta.unsupported);
        counts.unsupported += 1;
        continue;
      }
      counts.assertions += meta.assertions ?? 0;
      counts.differences += failures.length;
      counts[failures.length === 0 ? 'agree' : 'differ'] += 1;
      for (const [index, failure] of failures.entries()) {
        const text = textOf(failure);
        const row = rows.find(({ fits }) => fits(test.fullName, text));
        if (row) row.count += 1;
        // After a difference, a test may have no value to go on with.
        else if (index === 0 || failure.name === 'AssertionError') problems.push(`${test.fullName}: ${text}`);
      }
    }
    for (const { difference, right, document, count } of rows) {
      console.log(`${String(count).padStart(4)}  ${difference} Right: ${right}. ${document ?? ''}`);
      if (count === 0) problems.push(`No longer differs: ${difference}`);
    }
    console.log(`\nNot supported:\n${[...unsupported].toSorted().join('\n')}`);
    for (const problem of problems) console.error(`\nNot explained: ${problem}`);
    console.log(
      `\n${tests.length} tests: ${counts.agree} agree, ${counts.differ} differ, ${counts.unsupported} need what isn't supported. ` +
        `${counts.assertions} assertions: ${counts.differences} differ, ${problems.length} not explained.`,
    );
    process.exitCode = problems.length === 0 ? 0 : 1;
  }
}
