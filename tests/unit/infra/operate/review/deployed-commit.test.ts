import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deployedCommit, wasDeployed } from '../../../../../infra/operate/review/deployed-commit.ts';

/** Deployments by their number, with their states. The newest has the highest number. */
let deployments: Record<number, string[]>;
const asked: (string | undefined)[] = [];

const server = createServer(({ url = '', headers }, response) => {
  asked.push(headers.authorization);
  const [, id] = /^\/repos\/octo\/site\/deployments\/(\d+)\/statuses/.exec(url) ?? [];
  const listed = Object.keys(deployments).map((number) => ({
    id: Number(number),
    sha: `commit-${number}`,
    created_at: `2026-11-0${number}T10:00:00Z`,
  }));
  const [, sha] = /&sha=(.*)/.exec(url) ?? [];
  const matching = listed.filter((each) => sha === undefined || each.sha === sha);
  const answer = id === undefined ? matching : (deployments[Number(id)] ?? []).map((state) => ({ state }));
  const all = '/repos/octo/site/deployments?environment=staging&per_page=100';
  const isKnown = id !== undefined || url.replace(/&sha=.*/, '') === all;
  response.writeHead(isKnown ? 200 : 404).end(JSON.stringify(answer));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());
beforeEach(() => {
  deployments = {};
});

const variables = () => ({
  GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  GITHUB_REPOSITORY: 'octo/site',
  GITHUB_TOKEN: 'token',
});

test('the deployed commit is that of the newest deployment that succeeded', async () => {
  expect(await deployedCommit('staging', variables())).toBeUndefined();
  deployments = { 1: ['inactive', 'success'], 2: ['success', 'in_progress'], 3: ['failure'], 4: [] };
  expect(await deployedCommit('staging', variables())).toBe('commit-2');
  expect(new Set(asked)).toEqual(new Set(['Bearer token']));
});

test('a commit has passed a stage once a deployment of it has succeeded', async () => {
  deployments = { 1: ['inactive', 'success'], 2: ['failure'], 3: [] };
  const passed = await Promise.all(
    [1, 2, 3, 4].map((n) => wasDeployed('staging', `commit-${n}`, variables())),
  );
  expect(passed).toEqual([true, false, false, false]);
});

test('without an answer of GitHub, nothing is taken for deployed or new', async () => {
  await expect(deployedCommit('production', variables())).rejects.toThrow('deployments of production: 404');
  await expect(deployedCommit('staging', {})).rejects.toThrow('GITHUB_REPOSITORY and GITHUB_TOKEN');
});
