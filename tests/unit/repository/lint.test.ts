import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');

interface Diagnostic {
  code: string;
  severity: string;
  labels: { span: { line: number } }[];
}

const wide = 'word '.repeat(22);

/** A source file for each of our rules, with the 1-based lines that break it. */
const cases: [title: string, rule: string, lines: string[], broken: number[]][] = [
  [
    'an effect that returns the value of its expression, but with braces or as its clean-up',
    'effect-braces',
    [
      'export function Page({ follow }) {',
      'useEffect(() => window.scrollTo(0, 0), []);',
      'useLayoutEffect(() => follow(), [follow]);',
      'useInsertionEffect(async () => {});',
      'React.useEffect(() => (follow ? follow() : undefined));',
      'useEffect(() => { window.scrollTo(0, 0); }, []);',
      'useEffect(() => { const stop = follow(); return () => stop(); }, [follow]);',
      'useLayoutEffect(() => () => window.scrollTo(0, 0), []);',
      'return null; }',
    ],
    [2, 3, 4, 5],
  ],
  [
    'a comment wider than 110 columns, unless it is an address',
    'comment-width',
    [
      `// ${wide}`,
      `// ${wide.slice(0, 100)}`,
      '/**',
      ` * ${wide}`,
      ' */',
      `// https://docs.example.com/${'a'.repeat(100)}`,
      `export const text = '${wide}';`,
    ],
    [1, 4],
  ],
  [
    'a comment that begins with a headless What, or with Of, but not a question, a quote or the rest of a sentence',
    'comment-subject',
    [
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
      '// The fields of a template that say',
      '// What is compared, e.g. a name.',
      'export const e = 1;',
      '// What does a user see? The plan.',
      'export const f = "// What a user has bought.";',
      '/** Whether it is open. "Of course" is what `What` says. */',
      'export const g = 1;',
    ],
    [1, 3, 6, 7, 9, 12],
  ],
  [
    'text that looks like an attribute of its tag',
    'text-attribute',
    [
      '<>',
      '<Form> tone="secondary" </Form>',
      "<Form>aria-label='Code'<b /></Form>",
      '<Form>tone={follow}</Form>',
      '<Form tone="secondary">a = b, 1=2, ?code=12 {"c="}</Form>',
      '</>',
    ],
    [2, 3, 4],
  ],
];

let diagnostics: Diagnostic[];
beforeAll(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-lint-'));
  for (const [, rule, lines] of cases) writeFileSync(path.join(folder, `${rule}.tsx`), lines.join('\n'));
  const { stdout } = spawnSync(
    path.join(root, 'node_modules/.bin/oxlint'),
    ['--config', path.join(root, '.oxlintrc.json'), '--format', 'json', folder],
    { encoding: 'utf8' },
  );
  ({ diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] });
});

test.each(cases)('%s is a lint error', (_, rule, _lines, broken) => {
  const found = diagnostics.filter(
    ({ code, severity }) => code === `selfsame(${rule})` && severity === 'error',
  );
  const lines = found.map(({ labels: [label] }) => label?.span.line ?? 0);
  expect(lines.toSorted((a, b) => a - b)).toEqual(broken);
});
