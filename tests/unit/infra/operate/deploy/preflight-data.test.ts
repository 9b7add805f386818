import { expect, test } from 'vitest';
import { pausedIds } from '../../../../../infra/operate/deploy/pause.ts';
import { resource } from '../../../../fixtures/aws/ready-account.ts';
import { noStack, preflightAccount, refused } from './preflight-account.ts';

const { answer, findings } = preflightAccount();

test('a new pool is refused if nobody can be asked', async () => {
  const found = await findings(
    { ListStackResources: refused('AccessDeniedException') },
    { userPoolNumber: 2 },
  );
  expect(found.filter((line) => line.startsWith('error: This must be checked'))).toHaveLength(1);
});

test('a new stack may begin with any number of its pool', async () => {
  const found = await findings({ DescribeStacks: noStack, ListTables: () => ({}) }, { userPoolNumber: 2 });
  expect(found.join('\n')).not.toMatch(/user pool|could not be checked/);
});

test('a new, empty pool is refused while functions run that end the billing of missing users, or sign-ups are open', async () => {
  const deployed = (pool: string) => ({
    ListStackResources: () => ({
      StackResourceSummaries: [
        resource('AWS::SES::EmailIdentity', 'selfsame.test'),
        resource('AWS::Cognito::UserPool', pool, pool),
        ...pausedIds.map((id) => resource('AWS::Lambda::Function', id, `${id}0A1B2C3D`)),
      ],
    }),
  });
  const running = (count?: number) => ({
    GetFunctionConcurrency: () => (count === undefined ? {} : { ReservedConcurrentExecutions: count }),
  });
  const refusal = expect.stringContaining('npm run ops -- pause production') as string;
  const stage = { userPoolNumber: 2, signUpsClosed: true };
  const open = { userPoolNumber: 2 };
  const closing = expect.stringContaining('signUpsClosed: true') as string;
  const first = deployed('IdentityPool0A1B2C3D');
  expect(await findings({ ...first, ...running() }, stage)).toContainEqual(refusal);
  expect(await findings({ ...first, ...running(0) }, stage)).toEqual([]);
  expect(await findings({ ...first, ...running(0) }, open)).toContainEqual(closing);
  const second = deployed('IdentityPool20A1B2C3D');
  expect(await findings({ ...second, ...running() }, open)).toEqual([]);
  // In a new stack there is nobody to restore yet.
  answer({ DescribeStacks: noStack });
  expect(await findings({ ...first, ...running() }, open)).not.toContainEqual(refusal);
});
