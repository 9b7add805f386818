import type { PostConfirmationTriggerEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handlePostConfirmation } from '../../../../functions/triggers/post-confirmation.ts';
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

const now = stopClock('2026-01-20T12:00:00Z');
const log = watchLog();
let ada = adaOnFree();
let { planTable, pool, mail } = ada;
beforeEach(() => {
  ada = adaOnFree();
  ({ planTable, pool, mail } = ada);
  planTable.rows.clear();
});

describe('a password reset', () => {
  const asked: string[] = [];
  const users = (poolId: string) => {
    asked.push(poolId);
    return pool;
  };
  beforeEach(() => {
    asked.length = 0;
  });

  const confirm = (triggerSource: string, userAttributes: Record<string, string>) =>
    handlePostConfirmation({ ...ada, users, discardSignUp: async () => {} })({
      triggerSource,
      userPoolId: 'us-east-1_Pool',
      userName: 'ada',
      request: { userAttributes },
      response: {},
    } as unknown as PostConfirmationTriggerEvent);
  const owner = { sub: 'ada', email: 'ada@example.com', name: 'Ada, see https://evil.example' };
  const reset = (attributes: Record<string, string> = owner) =>
    confirm('PostConfirmation_ConfirmForgotPassword', attributes);

  test('is confirmed to the user by mail, and creates no row', async () => {
    await reset();
    expect(mail.sent).toMatchObject([
      { to: 'ada@example.com', email: { subject: 'Your Selfsame password was changed' } },
    ]);
    expect(planTable.rows.size).toBe(0);
  });

  test('ends every earlier session even if the mail fails', async () => {
    mail.down = true;
    await reset();
    expect(asked).toEqual(['us-east-1_Pool']);
    expect(pool.of('ada').sessionsEnded).toHaveLength(1);
  });

  test('refuses earlier tokens at once', async () => {
    planTable.put({ id: 'ada' });
    await reset();
    expect(planTable.rows.get('ada')).toMatchObject({ sessions_ended_at: now.getTime() / 1000 });
  });

  test('is kept and confirmed by mail if ending the sessions fails', async () => {
    vi.spyOn(pool, 'endSessions').mockRejectedValue(new Error('TooManyRequestsException'));
    const event = await reset();
    expect(event.triggerSource).toBe('PostConfirmation_ConfirmForgotPassword');
    expect(mail.sent).toHaveLength(1);
    expect(log.errors).toHaveLength(1);
  });

  test('is mailed also for an event that names no user', async () => {
    await reset({ email: 'ada@example.com' });
    expect(mail.sent).toHaveLength(1);
  });

  test('is told apart from a confirmed sign-up, which creates the row and sends no mail', async () => {
    await confirm('PostConfirmation_ConfirmSignUp', owner);
    expect(pool.of('ada').sessionsEnded).toEqual([]);
    expect(mail.sent).toEqual([]);
    expect(planTable.rows.get('ada')).toMatchObject({ plan: 'free' });
  });

  test('creates no row for an event that names no user', async () => {
    await confirm('PostConfirmation_ConfirmSignUp', { email: 'ada@example.com' });
    expect(planTable.rows.size).toBe(0);
  });

  test('is dated by the time of day, in the row and in the mail', async () => {
    await confirm('PostConfirmation_ConfirmSignUp', owner);
    await reset();
    expect(planTable.rows.get('ada')?.created_at).toBe(now.toISOString());
    expect(mail.sent[0]?.email.text).toContain('on January 20, 2026 at 12:00 UTC');
  });
});
