import { beforeEach, describe, expect, test } from 'vitest';
import { refusalToMail } from '../../../../functions/accounts/refusal-to-mail.ts';
import { DAILY_MAILS, type MailPurpose, mailPurposes } from '../../../../schemas/product/mail-limits.ts';
import { MAIL_AGAIN, triggerRefusals } from '../../../../schemas/trigger-refusals.ts';
import { refused } from '../../../fixtures/fakes/http-event.ts';
import { A, beginWithAccount, limits, NEW, owner, pool, world } from '../api/account-acts.ts';

beginWithAccount();
beforeEach(async () => {
  for (const email of [A, NEW]) await limits.complain(email, new Date());
});

describe.each(Object.keys(mailPurposes) as MailPurpose[])('a mail for the purpose %s', (purpose) => {
  const ask = (again?: boolean) => refusalToMail({ limits }, { purpose, of: A, again }, new Date());
  const isStopped = mailPurposes[purpose].by === 'anybody';

  test(`is ${isStopped ? '' : 'not '}stopped by a complaint, and asked for again it lifts that`, async () => {
    expect(await ask()).toBe(isStopped ? 'complained' : undefined);
    expect(await ask(true)).toBeUndefined();
    expect(await ask()).toBeUndefined();
  });

  test('is counted all the same', async () => {
    for (let times = 0; times < DAILY_MAILS; times += 1) await ask(true);
    expect(await ask(true)).toBe('spent');
  });
});

describe('after a complaint', () => {
  test('a sign-up says so, and the next press mails', async () => {
    await expect(owner.signUp(NEW)).rejects.toThrow(triggerRefusals.complained);
    await owner.signUp(NEW, undefined, undefined, MAIL_AGAIN);
    expect(world.linksTo(NEW)).toHaveLength(1);
  });

  test('another mail of a sign-up says so, and the next press mails', async () => {
    pool.put({ username: 'new', email: NEW, status: 'UNCONFIRMED' });
    await expect(owner.resend('new')).rejects.toThrow(triggerRefusals.complained);
    await owner.resend('new', MAIL_AGAIN);
    expect(world.linksTo(NEW)).toHaveLength(1);
  });

  test('a link goes to an account only if it is asked for again, and the answer is the same', async () => {
    const first = await owner.mailLink(A);
    expect(world.linksTo(A)).toEqual([]);
    expect(await owner.mailLink(A, 'reset', true)).toEqual(first);
    expect(world.linksTo(A)).toHaveLength(1);
  });

  test('a request for that address says so, and the next press mails', async () => {
    const session = pool.signIn('ada');
    expect(await owner.changeEmail(session, NEW)).toMatchObject(refused(409, 'marked-as-spam'));
    expect(world.change).toBeUndefined();
    expect(await owner.changeEmail(session, NEW, true)).toMatchObject({ status: 200 });
    expect(world.linksTo(NEW)).toHaveLength(1);
  });
});
