import { spawnSync } from 'node:child_process';
import type { StackStatus } from '@aws-sdk/client-cloudformation';
import { beforeEach, expect, test } from 'vitest';
import { rollBack } from '../../../../../infra/operate/deploy/roll-back.ts';
import { targetOf } from '../../../../../infra/operate/deploy/target.ts';
import { readyStage } from '../../../../fixtures/aws/ready-account.ts';
import { useAws } from '../../../../fixtures/aws/use-aws.ts';

const head = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim();

const { answers } = useAws();
/** The stack has deployed this commit, and is in this state. */
const deployed = (commit: string, StackStatus: StackStatus = 'UPDATE_COMPLETE') => {
  const Outputs = [{ OutputKey: 'Commit', OutputValue: commit }];
  const stack = { StackName: 'selfsame-production', CreationTime: new Date(0), StackStatus, Outputs };
  answers.DescribeStacks = () => ({ Stacks: [stack] });
};
beforeEach(() => deployed(head));

/** Rolls back to a release, and resolves with the programs that ran. */
async function programs(fails?: string): Promise<string[]> {
  const ran: string[] = [];
  const program = (folder: string, name: string, ...parameters: string[]): string => {
    const line = [name, ...parameters].join(' ').replaceAll(folder, '(folder)');
    ran.push(line.replaceAll(/\/\S*selfsame-roll-back-\w+/g, '(checkout)'));
    if (fails !== undefined && line.includes(fails)) throw new Error('It failed.');
    if (parameters[0] === 'describe' || parameters[0] === 'tag') return 'v1.2.0';
    return parameters[0] === 'rev-parse' ? head : '';
  };
  const target = targetOf('production', readyStage);
  await rollBack(target, undefined, { program, say: () => {} }).catch(() => ran.push('fails'));
  return ran;
}

const steps = [
  `git describe --tags --abbrev=0 --match v* ${head}^`,
  'git rev-parse --verify --end-of-options v1.2.0^{commit}',
  `git tag --points-at ${head} --merged ${head} --list v*`,
  `git worktree add --detach (checkout) ${head}`,
  'npm ci --ignore-scripts',
  `env RELEASED_COMMIT=${head} npm run deploy:production -- --rollback-trigger-alarm-arns none --require-approval never`,
  'git worktree remove --force (checkout)',
];

test('a stage is rolled back to the release before the deployed commit, from a checkout of its own', async () => {
  expect(await programs()).toEqual(steps);
});

test('an update that runs is cancelled', async () => {
  deployed(head, 'UPDATE_IN_PROGRESS');
  const cancelled: unknown[] = [];
  answers.CancelUpdateStack = ({ StackName }) => {
    cancelled.push(StackName);
    return {};
  };
  expect(await programs()).toEqual([]);
  expect(cancelled).toEqual(['selfsame-production']);
});

test('a failed deployment leaves no checkout behind', async () => {
  expect(await programs('npm run')).toEqual([...steps, 'fails']);
});

test('a deployed commit that is not here is not rolled back, since nobody knows what would be lost', async () => {
  deployed('0'.repeat(40));
  const ran = await programs();
  expect(ran.at(-1)).toBe('fails');
  expect(ran.join()).not.toContain('npm');
});

test('a stack that does not name its commit is not rolled back to a guess', async () => {
  answers.DescribeStacks = () => ({ Stacks: [] });
  expect(await programs()).toEqual(['fails']);
});
