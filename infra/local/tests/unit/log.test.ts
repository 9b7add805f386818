import { expect, test } from 'vitest';
import { lineOf } from '../../base/log.ts';

const at = '2026-11-22T10:00:00.000Z';

test('an object is printed as its function, level, event and fields', () => {
  const message = {
    event: 'plan-decided',
    user: '0b5d',
    from: 'free',
    expiresAt: null,
    trigger: 'GET /plan',
    done: 3,
  };
  expect(lineOf({ at, function: 'ApiPlan', level: 'INFO', message })).toBe(
    'ApiPlan INFO plan-decided user=0b5d from=free expiresAt=null trigger="GET /plan" done=3',
  );
});

test('a stack stays in its line, behind the other fields', () => {
  const message = { event: 'request-failed', stack: 'Error: no\n    at one\n    at two', code: 'internal' };
  expect(lineOf({ at, function: 'ApiPlan', level: 'ERROR', message })).toBe(
    'ApiPlan ERROR request-failed code=internal stack="Error: no | at one | at two"',
  );
});

test('text keeps its words, and loses line breaks and what could steer a terminal', () => {
  const message = 'two\r\n  lines \u001b[2J and a bell \u0007';
  expect(lineOf({ at, function: 'Fn', message })).toBe('Fn two | lines \uFFFD[2J and a bell \uFFFD');
});

test('a value can not pass itself off as another field', () => {
  const message = { event: 'code-refused', sentence: 'no code=internal', empty: '' };
  expect(lineOf({ at, function: 'Fn', level: 'INFO', message })).toBe(
    'Fn INFO code-refused sentence="no code=internal" empty=""',
  );
});

test('a document of metrics is printed as its metrics', () => {
  const metrics = { Namespace: 'selfsame-staging', Dimensions: [[]], Metrics: [{ Name: 'SignUps' }] };
  const message = JSON.stringify({ _aws: { Timestamp: 1, CloudWatchMetrics: [metrics] }, SignUps: 1 });
  expect(lineOf({ at, function: 'Fn', message })).toBe('Fn metric SignUps=1');
  const cut = message.slice(0, -1);
  expect(lineOf({ at, function: 'Fn', message: cut })).toBe(`Fn ${cut}`);
});
