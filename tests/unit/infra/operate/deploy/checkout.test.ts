import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { checkoutOf } from '../../../../../infra/operate/deploy/checkout.ts';

let root: string;
const git = (...parameters: string[]) => {
  const settings = ['-c', 'user.name=a', '-c', 'user.email=a@selfsame.example', '-c', 'tag.gpgSign=false'];
  const { status, stderr } = spawnSync('git', [...settings, ...parameters], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'selfsame-checkout-'));
  const remote = mkdtempSync(path.join(tmpdir(), 'selfsame-remote-'));
  spawnSync('git', ['init', '--bare', '--initial-branch=main', remote]);
  git('init', '--initial-branch=main');
  git('remote', 'add', 'origin', remote);
});
beforeEach(() => {
  git('commit', '--allow-empty', '--message', 'Change');
  git('push', 'origin', 'main');
});

const problems = (keepsData: boolean, variables = {}) => checkoutOf(root, { keepsData }, variables).problems;
const noRelease = expect.stringContaining('no release') as unknown;

test('a pushed commit of main goes to staging, and not to production', () => {
  expect(problems(false)).toEqual([]);
  expect(problems(true)).toEqual([noRelease]);
});

test('a release goes to production once its tag is pushed', () => {
  git('tag', '--annotate', 'v1.0.0', '--message', 'Release');
  expect(problems(true)).toEqual([noRelease]);
  // A workflow runs because of the pushed tag.
  expect(problems(true, { GITHUB_REF: 'refs/tags/v1.0.0' })).toEqual([]);
  git('push', 'origin', 'v1.0.0');
  expect(problems(true)).toEqual([]);
});

test('a roll-back brings the proof of a release along, for its own commit alone', () => {
  const { commit } = checkoutOf(root, { keepsData: true }, {});
  expect(problems(true, { RELEASED_COMMIT: commit })).toEqual([]);
  expect(problems(true, { RELEASED_COMMIT: '0'.repeat(40) })).toEqual([noRelease]);
});

test('a tag that the remote has for another commit is no release', () => {
  git('tag', 'v2.0.0');
  git('push', 'origin', 'v2.0.0');
  git('commit', '--allow-empty', '--message', 'Later');
  git('push', 'origin', 'main');
  git('tag', '--force', 'v2.0.0');
  expect(problems(true)).toEqual([noRelease]);
});

test('a commit that is not pushed goes nowhere, nor does a changed file', () => {
  git('commit', '--allow-empty', '--message', 'Local');
  expect(problems(false)).toEqual([expect.stringContaining('origin/main')]);
  git('push', 'origin', 'main');
  writeFileSync(path.join(root, 'file'), '');
  expect(problems(false)).toEqual([expect.stringContaining('Files differ')]);
  git('add', 'file');
  git('commit', '--message', 'File');
});
