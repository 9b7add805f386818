import { describe, expect, test, vi } from 'vitest';
import { refused } from '../../../fixtures/fakes/http-event.ts';
import {
  A,
  addresses,
  beginWithAccount,
  invalid,
  later,
  NEW,
  ofStranger,
  owner,
  password,
  planTable,
  pool,
  proofs,
  reset,
  stranger,
  world,
} from './account-acts.ts';

const log = beginWithAccount();
/** The token of a link that was mailed to A. */
const mailed = async () => {
  await owner.mailLink(A);
  return world.tokenTo(A, 'reset');
};

describe('a link for a new password', () => {
  test('sets the password, ends every session, mails the owner and works once', async () => {
    const session = pool.signIn('ada');
    const token = await mailed();
    const body = { email: A, ticket: expect.any(String) };
    expect(await owner.resetPassword(token, password)).toEqual({ status: 200, body });
    expect(await owner.signIn(A, password)).toBeDefined();
    expect(world.isLive(session)).toBe(false);
    expect(planTable.rows.get('ada')?.valid_since).toBeDefined();
    expect(world.mailsTo(A).at(-1)?.name).toBe('password-changed');
    expect(await owner.resetPassword(token, password)).toMatchObject(invalid);
    expect(log.text()).not.toContain(token);
  });

  test('works again if a step failed', async () => {
    const token = await mailed();
    vi.spyOn(world.parts.moments, 'takeBack').mockRejectedValueOnce(new Error('The table is away'));
    expect((await owner.resetPassword(token, password)).status).toBe(500);
    expect((await owner.resetPassword(token, password)).status).toBe(200);
  });

  test('ends the bounce of a mailbox that it has reached since, and stops a change that waits', async () => {
    await owner.changeEmail(pool.signIn('ada'), NEW);
    const earlier = await mailed();
    later(1);
    await world.parts.bounces.note('ada', A, new Date());
    later(1);
    const token = await mailed();
    const bouncedAt = () => planTable.rows.get('ada')?.mail_bounced_at;
    expect((await owner.resetPassword(earlier, password)).status).toBe(200);
    expect(bouncedAt()).toBeDefined();
    expect(world.change?.waiting).toBeUndefined();
    expect((await owner.resetPassword(token, password)).status).toBe(200);
    expect(bouncedAt()).toBeUndefined();
  });

  test('writes nothing about mail where none has bounced', async () => {
    const writeAddress = vi.spyOn(planTable, 'writeAddress');
    expect((await reset()).status).toBe(200);
    expect(writeAddress).not.toHaveBeenCalled();
  });

  test('gives a ticket that signs in to its account', async () => {
    const { body } = await reset();
    const proof = await proofs.read(String(body['ticket']), 'sign-in', new Date());
    expect(proof).toMatchObject({ email: A, account: 'ada' });
  });

  test('opens no account that is blocked or gone', async () => {
    const token = await mailed();
    Object.assign(pool.of('ada'), { enabled: false });
    expect(await owner.resetPassword(token, password)).toMatchObject(invalid);
    await pool.remove('ada');
    expect(await owner.resetPassword(token, password)).toMatchObject(invalid);
  });

  test('refuses a weak password and stays good', async () => {
    const token = await mailed();
    expect(await owner.resetPassword(token, 'short')).toMatchObject(refused(400, 'weak-password'));
    expect((await owner.resetPassword(token, password)).status).toBe(200);
  });

  test('confirms an account that waits for it, without the name that anyone may have typed', async () => {
    await stranger.signUp(NEW, ofStranger);
    expect(await reset(NEW)).toMatchObject({ status: 200 });
    expect(pool.of('sub-1')).toMatchObject({ status: 'CONFIRMED', password, name: '' });
    expect(planTable.rows.has('sub-1')).toBe(true);
  });

  test('goes to nobody without an account, and says how to sign in to who has no password', async () => {
    pool.put({ username: 'google_9', sub: 'g', email: 'by@google.example', status: 'EXTERNAL_PROVIDER' });
    addresses.owners.set('by@google.example', 'google_9');
    pool.put({ username: 'blocked', email: 'blocked@example.com', enabled: false });
    for (const [email, mails] of [
      ['nobody@example.com', []],
      ['blocked@example.com', []],
      ['by@google.example', ['sign-in-with-provider']],
      [A, ['reset']],
    ] as const) {
      expect(await owner.mailLink(email)).toEqual({ status: 200, body: { received: true } });
      expect(world.mailsTo(email).map((mail) => mail.name)).toEqual(mails);
    }
    expect(log.of('link-not-made')).toEqual([]);
  });

  test('that ends a contract is not mailed for an account that waits for its confirmation', async () => {
    await stranger.signUp(NEW, ofStranger);
    await owner.mailLink(NEW, 'end-contract');
    await owner.mailLink(A, 'end-contract');
    const named = [NEW, A].map((email) => world.linksTo(email).filter(({ mail }) => mail === 'end-contract'));
    expect(named.map(({ length }) => length)).toEqual([0, 1]);
  });

  test('answers the same if the mail or the link fails', async () => {
    world.parts.mail.down = true;
    expect(await owner.mailLink(A)).toMatchObject({ status: 200 });
    world.parts.mail.down = false;
    vi.spyOn(proofs, 'create').mockRejectedValueOnce(new Error('DynamoDB is down'));
    expect(await owner.mailLink(A)).toMatchObject({ status: 200 });
    expect(world.mailsTo(A)).toEqual([]);
  });

  test('in a mail that could not make it leads to the page that asks for a link', async () => {
    vi.spyOn(proofs, 'create').mockRejectedValueOnce(new Error('DynamoDB is down'));
    await owner.changePassword(pool.signIn('ada'), 'correct horse', password);
    expect(world.mailsTo(A).at(-1)?.text).toContain('/forgot-password');
  });
});
