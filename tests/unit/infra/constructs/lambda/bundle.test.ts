import { readFileSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bundle } from '../../../../../infra/constructs/lambda/bundle.ts';
import { folderOf, temporaryFolder } from '../../../../fixtures/repository/temporary-folder.ts';

test('a handler in a folder of a test and the product’s handler of its name keep their own bundles', () => {
  const entry = 'api/csp-report.ts';
  const folder = folderOf({ [entry]: 'export const handler = async () => "of a test";' });
  // The cache keeps no bundle of a file that has just changed.
  utimesSync(path.join(folder, entry), 0, 0);
  const codeOf = (file: string) =>
    readFileSync(path.join(bundle(file, temporaryFolder()), 'index.mjs'), 'utf8');
  expect(codeOf(path.join(folder, entry))).toContain('of a test');
  expect(codeOf(path.resolve('functions', entry))).not.toContain('of a test');
});
