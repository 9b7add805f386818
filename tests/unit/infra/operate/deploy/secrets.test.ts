import { expect, test } from 'vitest';
import { whatFollows } from '../../../../../infra/operate/deploy/secrets.ts';
import { readyStage } from '../../../../fixtures/aws/ready-account.ts';

test('who has stored keys reads which are in use at once, which after a restart, and which after a deployment', () => {
  const stage = { ...readyStage, providers: ['google', 'github'] as const };
  const [functions, restarted, cognito] = whatFollows({ stage, stageName: 'production' });
  expect(functions).toBe('Running functions read new keys of Stripe by themselves.');
  expect(restarted).toMatch(/^Those of GitHub are read when a function starts: .+recovery-runbook\.md/);
  expect(cognito).toMatch(/^Cognito gets those of Google .+ npm run deploy:production\.$/);
});
