import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describe, expect, test } from 'vitest';
import { startOptions } from '../../../infra/local/world/options.ts';
import { commands } from '../../../infra/operate/ops.ts';
import { parseCommandLine } from '../../../infra/operate/support/command-line.ts';
import { codeIn } from './documents.ts';

const documents = ['README.md', ...globSync('.github/**/*.md'), ...globSync('{tests,infra}/**/README.md')]
  .filter((file) => !file.includes('node_modules'))
  .toSorted();

/** The line with the values that a reader puts in for placeholders. */
const filledIn = (line: string): string =>
  line
    .replaceAll(/<until>/g, '2030-01-31')
    .replaceAll(/<(?:(?:new |old )?(?:user|sub)|e-mail|address)>/g, 'ada@example.com')
    .replaceAll(/"?\$STAGE"?|<stage>/g, 'staging')
    .replace(/ {2,}#.*$| *\|.*$/, '');

/** A command line's words, as a shell splits them. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );

/** The lines in all documents that match, with their documents and the words after the first group. */
const linesWith = (pattern: RegExp): [line: string, words: string[]][] =>
  documents.flatMap((file) =>
    codeIn(file).flatMap((code) =>
      code.split('\n').flatMap((line): [string, string[]][] => {
        const { groups } = pattern.exec(line) ?? {};
        const { rest } = groups ?? {};
        return rest === undefined ? [] : [[`${file}: ${line.trim()}`, wordsOf(filledIn(rest))]];
      }),
    ),
  );

const operators = linesWith(/npm run ops -- (?<rest>.+)/);
// A list of commands, and sentences about them, leave out how they begin and end.
const supports = linesWith(/^(?:support )?(?<rest>(?:find|why|reconcile|grant|export|delete) <.+)/);

describe('a command that a document tells to type', () => {
  test.each(operators)('%s', (_, [name = '', ...parameters]) => {
    if (parameters.includes('--help') || name === '--help' || name.startsWith('<')) return;
    const isSupport =
      name === 'support' && !parameters.some((each) => each === '--stage' || each === '--local');
    expect(() => commands[name]?.parse([...parameters, ...(isSupport ? ['--local'] : [])])).not.toThrow();
    expect(Object.keys(commands)).toContain(name);
  });

  test.each(supports)('%s', (_, parameters) => {
    expect(() => parseCommandLine([...parameters, '--local'])).not.toThrow();
  });

  test.each(linesWith(/npm (?:start|run preview) -- (?<rest>.+)/))('%s', (_, parameters) => {
    if (parameters.includes('--help') || parameters[0]?.startsWith('[')) return;
    expect(() => startOptions(parameters, {})).not.toThrow();
  });

  const { globalOptions, commands: ofCdk } = JSON.parse(
    readFileSync('node_modules/aws-cdk/lib/cli/cli-type-registry.json', 'utf8'),
  ) as { globalOptions: object; commands: { deploy: { options: object } } };
  const options = ['override', ...Object.keys(globalOptions), ...Object.keys(ofCdk.deploy.options)];
  test.each(linesWith(/(?:npm run deploy:\S+ -- |npx cdk (?=deploy))(?<rest>.+)/))('%s', (_, words) => {
    const { tokens } = parseArgs({ args: words, strict: false, allowPositionals: true, tokens: true });
    const named = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    // yargs takes `--no-` before each of its options.
    const isKnown = (name: string) => options.includes(name) || options.includes(name.replace(/^no-/, ''));
    expect(named.filter((name) => !isKnown(name))).toEqual([]);
  });
});

test('commands are found, in the form in which a wrong one was once', () => {
  expect(operators.length).toBeGreaterThan(20);
  expect(supports.length).toBeGreaterThan(8);
  const wrong = wordsOf(filledIn('grant <new user> --until 2030-01-31'));
  expect(() => parseCommandLine([...wrong, '--local'])).toThrow('--until');
});
