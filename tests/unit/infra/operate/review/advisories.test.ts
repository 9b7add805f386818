import { expect, test } from 'vitest';
import { findingsIn } from '../../../../../infra/operate/review/advisories.ts';

const url = 'https://github.com/advisories/GHSA-1';
const report = {
  auditReportVersion: 2,
  vulnerabilities: {
    one: { name: 'one', via: [{ source: 1, name: 'one', title: 'It leaks', url, severity: 'high' }] },
    other: { name: 'other', via: ['one'] },
  },
};

test('an advisory is a line, whichever packages it comes through', () => {
  expect(findingsIn(report, [])).toEqual({ open: [`high: one: It leaks (${url})`], outdated: [] });
});

test('an accepted advisory is none', () => {
  expect(findingsIn(report, [url])).toEqual({ open: [], outdated: [] });
});

test('an acceptance that is no longer needed is reported', () => {
  expect(findingsIn({ vulnerabilities: {} }, [url])).toEqual({ open: [], outdated: [url] });
});

test('an answer that is no report is an error, and no pass', () => {
  expect(() => findingsIn({ error: { code: 'ENOAUDIT' } }, [])).toThrow('ENOAUDIT');
});
