import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { buildSite } from '../../../../../infra/operate/deploy/build-site.ts';
import { folderOf } from '../../../../fixtures/repository/temporary-folder.ts';

let root: string;
let builds: number;
let variables: Record<string, string>;

beforeEach(() => {
  root = folderOf({
    'web/src/page.tsx': 'a page',
    'schemas/rows/plan.ts': 'a plan',
    'package-lock.json': '{}',
  });
  builds = 0;
  variables = { PATH: '/bin', SELFSAME_PROVIDERS: 'google' };
  return () => rmSync(root, { recursive: true });
});

const write = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
};

const build = () => {
  builds += 1;
  write('web/dist/index.html', 'the built page');
  return true;
};

test('the site is built once, and not again from the same files', () => {
  expect(buildSite(root, build, variables)).toBe(true);
  expect(buildSite(root, build, variables)).toBe(true);
  variables['PATH'] = '/usr/bin';
  expect(buildSite(root, build, variables)).toBe(true);
  expect(builds).toBe(1);
});

describe('the site is built again', () => {
  const changes: Record<string, () => void> = {
    'after a change of a page': () => write('web/src/page.tsx', 'another page'),
    'after a change of a schema': () => write('schemas/rows/plan.ts', 'another plan'),
    'with other packages': () => write('package-lock.json', '{"packages":{}}'),
    'with a new file': () => write('web/content/articles/2.md', 'new'),
    'without a file': () => rmSync(path.join(root, 'schemas/rows/plan.ts')),
    'for other providers': () => (variables['SELFSAME_PROVIDERS'] = 'google,github'),
    'where the built site was changed by hand': () => write('web/dist/index.html', 'by hand'),
    'where the built site is gone': () => rmSync(path.join(root, 'web/dist'), { recursive: true }),
    'on another day': () => vi.setSystemTime(Date.now() + 86_400_000),
  };
  test.each(Object.keys(changes))('%s', (name) => {
    vi.useFakeTimers();
    try {
      buildSite(root, build, variables);
      changes[name]?.();
      expect(buildSite(root, build, variables)).toBe(true);
    } finally {
      vi.useRealTimers();
    }
    expect(builds).toBe(2);
  });

  test('if a file was saved while it was built', () => {
    const buildAndSave = () => build() && (write('web/src/page.tsx', 'saved meanwhile'), true);
    buildSite(root, buildAndSave, variables);
    buildSite(root, build, variables);
    expect(builds).toBe(2);
  });

  test('if its build failed', () => {
    buildSite(root, build, variables);
    write('web/src/page.tsx', 'with an error');
    expect(buildSite(root, () => false, variables)).toBe(false);
    write('web/src/page.tsx', 'a page');
    buildSite(root, build, variables);
    expect(builds).toBe(2);
  });
});
