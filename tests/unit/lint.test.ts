import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

interface Diagnostic {
  code: string;
  severity: string;
  labels: { span: { line: number } }[];
}

/** Those of the effects, a line each, that break the rule on effects. */
function forbidden(effects: readonly string[]): (string | undefined)[] {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'selfsame-lint-')), 'page.tsx');
  const lines = ['export function Page({ follow }) {', ...effects, 'return null; }'];
  writeFileSync(file, lines.join('\n'));
  const { stdout } = spawnSync(
    path.join(root, 'node_modules/.bin/oxlint'),
    ['--config', path.join(root, '.oxlintrc.json'), '--format', 'json', file],
    { encoding: 'utf8' },
  );
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
  return diagnostics
    .filter(({ code, severity }) => code === 'site(effect-braces)' && severity === 'error')
    .map(({ labels: [label] }) => lines[(label?.span.line ?? 0) - 1]);
}

test('an effect that returns the value of its expression is a lint error', () => {
  const effects = [
    'useEffect(() => window.scrollTo(0, 0), []);',
    'useLayoutEffect(() => follow(), [follow]);',
    'useInsertionEffect(async () => {});',
    'React.useEffect(() => (follow ? follow() : undefined));',
  ];
  expect(new Set(forbidden(effects))).toEqual(new Set(effects));
});

test('an effect with braces, or with a clean-up for its expression, is none', () => {
  expect(
    forbidden([
      'useEffect(() => { window.scrollTo(0, 0); }, []);',
      'useEffect(() => { const stop = follow(); return () => stop(); }, [follow]);',
      'useLayoutEffect(() => () => window.scrollTo(0, 0), []);',
    ]),
  ).toEqual([]);
});
