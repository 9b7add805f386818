import { spawnSync } from 'node:child_process';

/** The commit that is checked out, and why it may not be deployed. */
export interface Checkout {
  commit: string;
  /** Sentences. Empty if the commit may be deployed. */
  problems: string[];
}

/**
 * The variable in which a roll-back names the commit that it deploys, which was released before the deployed
 * commit. Git can't ask for the tag again where a workflow has left no credentials in its checkout.
 */
export const RELEASED_COMMIT = 'RELEASED_COMMIT';

/**
 * Asks git whether a deployment ships what was reviewed: nothing but commits of the remote's main, and in a
 * stage that keeps data a release, a pushed tag `v*`. `variables`: those of a workflow or a roll-back, which
 * know that the tag is pushed.
 */
export function checkoutOf(
  root: string,
  { keepsData }: { keepsData: boolean },
  variables: NodeJS.ProcessEnv = process.env,
): Checkout {
  const git = (...parameters: string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', parameters, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };
  const commit = git('rev-parse', 'HEAD');
  if (commit === undefined)
    return { commit: 'unknown', problems: ['This is no checkout of a git repository.'] };
  const isPushed = (tag: string): boolean =>
    variables['GITHUB_REF'] === `refs/tags/${tag}` ||
    // The second line is the commit that an annotated tag names.
    (git('ls-remote', 'origin', `refs/tags/${tag}`, `refs/tags/${tag}^{}`) ?? '').includes(commit);
  const tags = (git('tag', '--points-at', 'HEAD', '--list', 'v*') ?? '').split('\n').filter(Boolean);
  return {
    commit,
    problems: [
      ...(git('status', '--porcelain') === ''
        ? []
        : ['Files differ from the commit: commit them, or undo it.']),
      ...(git('merge-base', '--is-ancestor', 'HEAD', 'origin/main') === undefined
        ? ["The commit isn't on origin/main: push it there, or git fetch."]
        : []),
      ...(keepsData && variables[RELEASED_COMMIT] !== commit && !tags.some(isPushed)
        ? ['The commit is no release: check out a pushed tag, such as git checkout v1.2.0.']
        : []),
    ],
  };
}
