import * as z from 'zod/mini';
import type { StageName } from '../../stages/stages.ts';

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
export async function deployedCommit(
  stage: StageName,
  variables: Record<string, string | undefined>,
): Promise<string | undefined> {
  const { GITHUB_API_URL = 'https://api.github.com', GITHUB_REPOSITORY, GITHUB_TOKEN } = variables;
  if (!GITHUB_REPOSITORY || !GITHUB_TOKEN) {
    throw new Error('GITHUB_REPOSITORY and GITHUB_TOKEN are missing: this is for a workflow at GitHub.');
  }
  const read = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/deployments${path}`, {
      headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${GITHUB_TOKEN}` },
    });
    if (!answer.ok) throw new Error(`GitHub doesn't list the deployments of ${stage}: ${answer.status}.`);
    return answer.json();
  };
  const deployments = Deployments.parse(await read(`?environment=${stage}&per_page=${MOST}`));
  const newestFirst = deployments.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  for (const { id, sha } of newestFirst) {
    // A later deployment adds the state `inactive`, but `success` stays in the list.
    const statuses = Statuses.parse(await read(`/${id}/statuses?per_page=${MOST}`));
    if (statuses.some(({ state }) => state === 'success')) return sha;
  }
  if (deployments.length === MOST) throw new Error(`The last ${MOST} deployments of ${stage} have failed.`);
  return undefined;
}
