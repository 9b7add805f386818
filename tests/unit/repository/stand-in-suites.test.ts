import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { havePassed, recordPassed, standInSuites } from '../../fixtures/repository/stand-in-suites.ts';

const repository = path.resolve(import.meta.dirname, '../../..');
const KMS_TEST = 'tests/integration/local/kms.test.ts';

function write(root: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
}

/** A repository with a stand-in, its test, and a test that starts the product's stack. */
function repositoryWith(files: Record<string, string> = {}): string {
  const root = mkdtempSync(path.join(tmpdir(), 'selfsame-suites-'));
  write(root, {
    'package.json': '{}',
    'package-lock.json': '{}',
    'tsconfig.json': '{}',
    'tests/vitest.config.ts': '',
    'tests/fixtures/repository/run-folder.ts': '',
    'tests/fixtures/repository/stand-in-suites.ts': '',
    'tests/fixtures/wire/wire-setup.ts': '',
    'tests/contract/check-wire.ts': "import '../fixtures/wire/wire-types.ts';",
    'tests/fixtures/wire/wire-types.ts': '',
    'tests/local.ts': '',
    'tests/fixtures/key.ts': "import '../../schemas/key.ts';",
    [KMS_TEST]: "import '../../../infra/local/kms.ts'; import '../../fixtures/key.ts';",
    'tests/integration/local/world.test.ts': "import '../../../infra/local/synthesis.ts';",
    'infra/local/kms.ts': '',
    'infra/local/synthesis.ts': "new URL('./child.ts', import.meta.url);",
    'infra/local/child.ts': "await import('../app.ts');",
    'infra/local/page.html': '',
    'infra/app.ts': "import '../functions/plan.ts';",
    'functions/plan.ts': '',
    'schemas/key.ts': '',
    ...files,
  });
  return root;
}

test('tests that start the product’s stack are not among the stand-ins’ suites', () => {
  expect(standInSuites(repositoryWith()).tests).toEqual([KMS_TEST]);
});

test('here, nearly all tests of the stand-ins do without the product, and world.test.ts does not', () => {
  const { tests } = standInSuites(repository);
  expect(tests.length).toBeGreaterThan(30);
  expect(tests).not.toContain('tests/integration/local/world.test.ts');
});

test.each([
  ['a stand-in', 'infra/local/kms.ts'],
  ['a file that a stand-in serves', 'infra/local/page.html'],
  ['a test', KMS_TEST],
  ['a fixture', 'tests/fixtures/key.ts'],
  ['a file of the product that a fixture imports', 'schemas/key.ts'],
  ['the locked versions', 'package-lock.json'],
  ['the configuration of the tests', 'tests/vitest.config.ts'],
  ['the check of their messages', 'tests/fixtures/wire/wire-types.ts'],
])('the suites run again after a change of %s', (_, file) => {
  const root = repositoryWith();
  recordPassed(root, standInSuites(root));
  expect(havePassed(root, standInSuites(root))).toBe(true);
  write(root, { [file]: '// changed' });
  expect(havePassed(root, standInSuites(root))).toBe(false);
});

test('the suites run again after a file was added, renamed or removed', () => {
  const root = repositoryWith();
  recordPassed(root, standInSuites(root));
  for (const other of [
    repositoryWith({ 'infra/local/new.ts': '' }),
    repositoryWith({ 'tests/integration/stripe/api.test.ts': '' }),
  ]) {
    expect(standInSuites(other).hash).not.toBe(standInSuites(root).hash);
  }
});

test('the suites don’t run again after a change of the product', () => {
  const root = repositoryWith();
  recordPassed(root, standInSuites(root));
  write(root, { 'functions/plan.ts': '// changed', 'infra/app.ts': '// changed' });
  expect(havePassed(root, standInSuites(root))).toBe(true);
});

test.each([
  ['missing', undefined],
  ['not JSON', 'passed'],
  ['of another shape', '{"linux-x64": true}'],
  ['of another platform', '{"plan9-mips, Node 4.0.0": "HASH"}'],
])('the suites run if the record is %s', (_, record) => {
  const root = repositoryWith();
  const suites = standInSuites(root);
  if (record !== undefined)
    write(root, { 'tests/stand-ins-passed.json': record.replace('HASH', suites.hash) });
  expect(havePassed(root, suites)).toBe(false);
});
