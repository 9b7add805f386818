import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { help, startOptions } from '../../world/options.ts';

test('without options the site is on port 3000 and its data in .local', () => {
  expect(startOptions([], {})).toEqual({
    fresh: false,
    preview: false,
    people: false,
    inspect: false,
    help: false,
    port: 3000,
    dataDir: `${process.cwd()}/.local`,
  });
});

test('options and variables change what starts', () => {
  expect(
    startOptions(['--fresh', '--preview'], { SELFSAME_PORT: '4000', SELFSAME_LOCAL_DATA: '/data' }),
  ).toMatchObject({ fresh: true, preview: true, port: 4000, dataDir: '/data' });
});

test.each(['abc', '0', '-1', '1.5', '1e3', '65533', '70000', ' '])('port "%s" is refused', (port) => {
  for (const name of ['PORT', 'SELFSAME_PORT']) {
    expect(() => startOptions([], { [name]: port })).toThrow(`${name} is ${port}, and has to be a number`);
  }
});

test.each([['--frsh'], ['--fresh=yes'], ['fresh'], ['-f'], ['--no-fresh']])('%s is refused', (written) => {
  expect(() => startOptions(['--preview', written], {})).toThrow(
    `${written} is not an option: npm start -- --help lists the options.`,
  );
});

test('an option that npm has kept for itself is refused', () => {
  expect(() => startOptions([], { npm_config_fresh: 'true' })).toThrow('write npm start -- --fresh.');
});

describe('help', () => {
  // The rest is for tests.
  const sources = globSync('infra/local/**/*.{ts,mjs}', {
    exclude: ['**/tests', '**/wire', '**/world-process.ts'],
  }).map((file) => [file, readFileSync(file, 'utf8')]);

  test('names each option that the start knows', () => {
    const named = [...help().matchAll(/^ {2}(--\w+)/gm)].map(([, name = '']) => name);
    expect(named.map((name) => name.slice(2))).toEqual(
      Object.entries(startOptions(named, {}))
        .filter(([, value]) => value === true)
        .map(([name]) => name),
    );
  });

  test('names each variable that the local world reads', () => {
    // Other files get variables by the names of help. The synthesis and the
    // console's reasons of a plan only pass variables on.
    const whole = sources.filter(([, text = '']) => /process\.env(?!\w|\.\w|\[)/.test(text));
    expect(new Set(whole.map(([file]) => file))).toEqual(
      new Set(['infra/local/start.ts', 'infra/local/stack/synthesis.ts', 'infra/local/console/why-page.ts']),
    );
    const read = sources.flatMap(([, text = '']) =>
      // A deleted variable isn't read.
      [...text.matchAll(/(?<!delete )process\.env(?:\.|\[')(\w+)/g)].map(([, name = '']) => name),
    );
    // npm sets its own for the scripts that it runs.
    expect(read.filter((name) => !name.startsWith('npm_') && !help().includes(name))).toEqual([]);
  });
});
