import { describe, expect, test } from 'vitest';
import { parseCommandLine, usage } from '../../../../../infra/operate/support/command-line.ts';

const parse = (line: string, ...more: string[]) => parseCommandLine([...line.split(' '), ...more]);

test('a command without --yes is a dry run, whatever reason it gives', () => {
  expect(parse('reconcile ada@example.com --stage production --reason duplicate')).toEqual({
    command: { name: 'reconcile', user: 'ada@example.com' },
    at: 'production',
    reason: undefined,
  });
});

test('a real run has a reason', () => {
  expect(parse('why 1234-5678 --local --yes', '--reason', ' asked by mail ')).toEqual({
    command: { name: 'why', user: '1234-5678' },
    at: 'local',
    reason: 'asked by mail',
  });
  expect(() => parse('reconcile ada@example.com --local --yes')).toThrow('--yes needs a --reason');
});

test.each([
  ['ok', 'at least five letters'],
  ['x'.repeat(301), 'at most 300 letters'],
  ['two\nlines', 'one line'],
  ['ada@example.com wrote', 'without an email address'],
])('the reason %j is refused', (reason, why) => {
  expect(() => parse('reconcile ada --local --yes', '--reason', reason)).toThrow(why);
});

describe('the end of a granted plan', () => {
  const until = (text: string) => parse(`grant ada ${text} --local`).command;

  test('is the end of a day in UTC, or none', () => {
    expect(until('2030-01-31')).toMatchObject({ until: '2030-01-31T23:59:59.999Z' });
    expect(until('no-end')).toMatchObject({ until: undefined });
  });

  test.each(['2030-02-30', '2030-1-31', '31.01.2030', '2030-01-31T10:00:00Z', 'forever'])(
    'is not %s',
    (text) => {
      expect(() => until(text)).toThrow(`${text} is not a day like 2030-01-31`);
    },
  );
});

test.each([
  ['find ada@example.com', 'Name a stage with --stage, or --local.'],
  ['find ada@example.com --stage staging --local', 'Name a stage with --stage, or --local.'],
  ['find ada@example.com --stage toString', 'There is no stage toString.'],
  ['find ada --local', 'This has to be an email address: ada'],
  ['why --local', 'why takes 1, and not 0 values.'],
  ['why a b --local', 'why takes 1, and not 2 values.'],
  ['why ä --local', 'This has to be a sub or an email address: ä'],
  ['disable ada --local', 'There is no command disable.'],
  ['reconcile ada --local --to file', 'Only export takes --to.'],
])('%s is refused', (line, why) => {
  expect(() => parse(line)).toThrow(why);
});

test('an unknown option is refused', () => {
  expect(() => parse('find ada@example.com --local --force')).toThrow("Unknown option '--force'");
});

test('the usage names every command', () => {
  for (const name of ['find', 'why', 'reconcile', 'grant', 'export', 'delete']) {
    expect(usage).toMatch(new RegExp(`^  ${name} `, 'm'));
  }
});
