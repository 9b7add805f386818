import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');

interface Diagnostic {
  code: string;
  severity: string;
  labels: { span: { line: number } }[];
}

/** The 1-based lines of a source file that break one of our rules. */
function linesBreaking(rule: string, lines: readonly string[]): number[] {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'selfsame-lint-')), 'page.tsx');
  writeFileSync(file, lines.join('\n'));
  const { stdout } = spawnSync(
    path.join(root, 'node_modules/.bin/oxlint'),
    ['--config', path.join(root, '.oxlintrc.json'), '--format', 'json', file],
    { encoding: 'utf8' },
  );
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
  return diagnostics
    .filter(({ code, severity }) => code === `selfsame(${rule})` && severity === 'error')
    .map(({ labels: [label] }) => label?.span.line ?? 0)
    .toSorted((a, b) => a - b);
}

const withEffects = (effects: readonly string[]): string[] => [
  'export function Page({ follow }) {',
  ...effects,
  'return null; }',
];

test('an effect that returns the value of its expression is a lint error', () => {
  const effects = [
    'useEffect(() => window.scrollTo(0, 0), []);',
    'useLayoutEffect(() => follow(), [follow]);',
    'useInsertionEffect(async () => {});',
    'React.useEffect(() => (follow ? follow() : undefined));',
  ];
  expect(linesBreaking('effect-braces', withEffects(effects))).toEqual([2, 3, 4, 5]);
});

test('an effect with braces, or with a clean-up as its expression, is allowed', () => {
  const effects = [
    'useEffect(() => { window.scrollTo(0, 0); }, []);',
    'useEffect(() => { const stop = follow(); return () => stop(); }, [follow]);',
    'useLayoutEffect(() => () => window.scrollTo(0, 0), []);',
  ];
  expect(linesBreaking('effect-braces', withEffects(effects))).toEqual([]);
});

test('a comment wider than 110 columns is a lint error, unless it is an address', () => {
  const wide = 'word '.repeat(22);
  expect(
    linesBreaking('comment-width', [
      `// ${wide}`,
      `// ${wide.slice(0, 100)}`,
      '/**',
      ` * ${wide}`,
      ' */',
      `// https://docs.example.com/${'a'.repeat(100)}`,
      `export const text = '${wide}';`,
    ]),
  ).toEqual([1, 4]);
});

test('a comment that begins with a headless What, or with Of, is a lint error', () => {
  expect(
    linesBreaking('comment-subject', [
      '// What a user has bought.',
      'export const a = 1;',
      '/** Of a large pool, a part has to fit. */',
      'export const b = 1;',
      '/**',
      ' * The plan of a user. What is left is',
      ' * refunded. Of two, the newer wins.',
      ' *',
      ' * What of a template is compared',
      ' */',
      'export const c = 1; // What else?',
      'export const d = 1; // What it is',
    ]),
  ).toEqual([1, 3, 6, 7, 9, 12]);
});

test('a comment may ask a question, quote, and go on with these words in a sentence', () => {
  expect(
    linesBreaking('comment-subject', [
      '// The fields of a template that say',
      '// What is compared, e.g. a name.',
      'export const a = 1;',
      '// What does a user see? The plan.',
      'export const b = "// What a user has bought.";',
      '/** Whether it is open. "Of course" is what `What` says. */',
      'export const c = 1;',
    ]),
  ).toEqual([]);
});

test('text that looks like an attribute of its tag is a lint error', () => {
  const elements = [
    '<>',
    '<Form> tone="secondary" </Form>',
    "<Form>aria-label='Code'<b /></Form>",
    '<Form>tone={follow}</Form>',
    '<Form tone="secondary">a = b, 1=2, ?code=12 {"c="}</Form>',
    '</>',
  ];
  expect(linesBreaking('text-attribute', elements)).toEqual([2, 3, 4]);
});
