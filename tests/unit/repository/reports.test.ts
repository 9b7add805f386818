import { expect, test } from 'vitest';
import { readVitestReport } from '../../fixtures/repository/reports.ts';

test('a test that is left out is named at the end of the run, and is no failure', () => {
  const result = (fullName: string, status: string) => ({ fullName, status, failureMessages: [] });
  const report = {
    numPassedTests: 1,
    numFailedTests: 0,
    testResults: [
      {
        name: 'a.test.ts',
        status: 'passed',
        message: '',
        assertionResults: [result('adds up', 'passed'), result('lints (x is not installed)', 'skipped')],
      },
    ],
  };
  expect(readVitestReport(report)).toMatchObject({
    passed: 1,
    failed: 0,
    notes: ['skipped: lints (x is not installed)'],
  });
});
