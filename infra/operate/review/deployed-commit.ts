import { execFileSync } from 'node:child_process';
import * as z from 'zod/mini';
import type { StageName } from '../../stages/stages.ts';
import { stageNameFrom } from '../stage-name-from.ts';

const Deployments = z.array(z.object({ id: z.number(), sha: z.string(), created_at: z.string() }));
const Statuses = z.array(z.object({ state: z.string() }));

// GitHub's maximum per page.
const MOST = 100;

/**
 * The commit that a workflow last deployed to a stage, from GitHub's record of the environment with the
 * stage's name. Undefined without a deployment. Failed deployments don't count: what they would have deleted
 * is still there. `variables`: a workflow's variables, whose `GITHUB_TOKEN` needs the right to read
 * deployments. https://docs.github.com/en/rest/deployments
 */
export async function deployedCommit(stage: StageName, variables: Variables): Promise<string | undefined> {
  const deployments = await deploymentsOf(stage, variables);
  const newestFirst = deployments.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  for (const { id, sha } of newestFirst) if (await hasSucceeded(id, variables)) return sha;
  if (deployments.length === MOST) throw new Error(`The last ${MOST} deployments of ${stage} have failed.`);
  return undefined;
}

/** Whether a workflow has deployed a commit to a stage, smoke check included. */
export async function wasDeployed(stage: StageName, sha: string, variables: Variables): Promise<boolean> {
  for (const { id } of await deploymentsOf(stage, variables, `&sha=${sha}`)) {
    if (await hasSucceeded(id, variables)) return true;
  }
  return false;
}

type Variables = Record<string, string | undefined>;

const deploymentsOf = async (stage: StageName, variables: Variables, filter = '') =>
  Deployments.parse(await read(`?environment=${stage}&per_page=${MOST}${filter}`, variables));

/** A later deployment adds the state `inactive`, but `success` stays in the list. */
async function hasSucceeded(id: number, variables: Variables): Promise<boolean> {
  const statuses = Statuses.parse(await read(`/${id}/statuses?per_page=${MOST}`, variables));
  return statuses.some(({ state }) => state === 'success');
}

async function read(path: string, variables: Variables): Promise<unknown> {
  const { GITHUB_API_URL = 'https://api.github.com', GITHUB_REPOSITORY, GITHUB_TOKEN } = variables;
  if (!GITHUB_REPOSITORY || !GITHUB_TOKEN) {
    throw new Error('GITHUB_REPOSITORY and GITHUB_TOKEN are missing: this is for a workflow at GitHub.');
  }
  const answer = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/deployments${path}`, {
    headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${GITHUB_TOKEN}` },
    signal: AbortSignal.timeout(30_000),
  });
  const [, stage = 'a stage'] = /environment=(\w+)/.exec(path) ?? [];
  if (!answer.ok) throw new Error(`GitHub doesn't list the deployments of ${stage}: ${answer.status}.`);
  return answer.json();
}

export async function run(parameters: readonly string[]): Promise<void> {
  const stage = stageNameFrom(parameters);
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  if (await wasDeployed(stage, commit, process.env)) return;
  throw new Error(`No workflow has deployed ${commit} to ${stage} yet. Run this job again once one has.`);
}
