import { expect, test } from 'vitest';
import { lineOf } from '../../base/log.ts';

const at = '2026-11-22T10:00:00.000Z';

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
