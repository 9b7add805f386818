import { describe, expect, test, vi } from 'vitest';
import type { Subscription } from '../../../../functions/domain/subscription.ts';
import { reconcile } from '../../../../functions/plans/reconcile.ts';
import { sendPlanNotices } from '../../../../functions/notices/send-plan-notices.ts';
import { runBillingTasks } from '../../../../functions/schedules/billing-tasks.ts';
import { ada, beginOnFree } from '../ada.ts';

const { now } = beginOnFree();
const HOUR = 3_600_000;
const at = (hours: number) => new Date(now.getTime() + hours * HOUR);

const addressOf = async () => 'ada@example.com';
const tell = async (when = now, address: () => Promise<string | undefined> = addressOf) => {
  const options = { trigger: 'test', onlyChanges: true, mailsNext: true } as const;
  const decided = await reconcile(ada, 'ada', when, options);
  return sendPlanNotices(ada, { row: decided!.row, facts: decided!.facts! }, address, when);
};
const decide = (when = now) => reconcile(ada, 'ada', when, { trigger: 'test' });
const runTasks = (when: Date) => runBillingTasks(ada, () => when)();
const sent = () => ada.mail.sent.map(({ to, email }) => `${email.name} to ${to}`);
const begun = 'subscription-begun to ada@example.com';
const PERIOD_END = Date.UTC(2026, 1, 15) / 1000;

/** Ada buys Plus. */
async function buy(fields: Partial<Subscription> = {}): Promise<string> {
  const { id } = ada.billing.subscribe('cus_ada', { currentPeriodEnd: PERIOD_END, ...fields });
  await decide();
  return id;
}

/** Ada cancels to the end of her period, or takes that back. */
async function endOn(endsAt: number | undefined, id: string, when = now): Promise<void> {
  ada.billing.change(id, { endsAt });
  await decide(when);
}
const cancel = (id: string, when = now) => endOn(PERIOD_END, id, when);
const takeBack = (id: string, when = now) => endOn(undefined, id, when);
const cancelled = 'subscription-cancelled to ada@example.com';
const kept = 'subscription-kept to ada@example.com';

describe('the mails about a plan', () => {
  test('are sent once, however often and by how many they are asked for', async () => {
    await buy();
    await Promise.all([tell(), tell(), tell(at(0.01))]);
    await decide();
    await tell();
    await runTasks(at(1));
    await runTasks(at(2));
    expect(sent()).toEqual([begun]);
    expect(ada.tasks.items.size).toBe(0);
  });

  test('are sent although the process ends right after the decision', async () => {
    ada.billing.subscribe('cus_ada');
    const write = ada.planTable.decide.bind(ada.planTable);
    const crash = new Error('The process ends.');
    vi.spyOn(ada.planTable, 'decide').mockImplementationOnce(async (...decision) => {
      await write(...decision);
      throw crash;
    });
    await expect(decide()).rejects.toBe(crash);
    await runTasks(at(1));
    expect(sent()).toEqual([begun]);
  });

  test('of which the first is sent go on with the second after a crash', async () => {
    await buy({ endsAt: PERIOD_END });
    const send = ada.mail.send.bind(ada.mail);
    const sending = vi.spyOn(ada.mail, 'send');
    sending.mockImplementationOnce((...mail) => send(...mail));
    sending.mockRejectedValueOnce(new Error('SES is out of reach.'));
    await expect(tell()).rejects.toThrow('The mail "cancelled" was not sent.');
    await runTasks(at(1));
    expect(sent()).toEqual([begun, cancelled]);
  });

  test('are not sent while another process has the turn, and an hour later if it has crashed', async () => {
    await buy();
    const [row] = [...ada.planTable.rows.values()];
    const other = { lease: `${at(0.03).toISOString()} other`, maybeNotified: '[]' };
    expect(await ada.billingMails.claim(row!, other, now)).toBe(true);
    expect(await tell()).toEqual(at(1));
    expect(sent()).toEqual([]);
    await runTasks(at(1));
    expect(sent()).toEqual([begun]);
  });

  test('about a plan that was decided again since the row was read are left to the next try', async () => {
    const id = await buy();
    const stale = await decide();
    await cancel(id);
    const staleFacts = { row: stale!.row, facts: stale!.facts! };
    expect(await sendPlanNotices(ada, staleFacts, addressOf, now)).toEqual(at(1));
    await tell();
    expect(sent()).toEqual([begun, cancelled]);
  });

  test.each([
    ['that was cut off, and is no longer true', 1],
    ['and a correction that were both cut off', 2],
  ])('correct a mail %s', async (_, cuts) => {
    const id = await buy();
    await tell();
    const cut = new Error('The process ends.');
    const noting = vi.spyOn(ada.billingMails, 'store');
    for (let time = 0; time < cuts; time += 1) noting.mockRejectedValueOnce(cut);
    await cancel(id);
    await expect(tell()).rejects.toBe(cut);
    await takeBack(id);
    for (const hour of [1, 2, 3]) await runTasks(at(hour));
    expect(sent()).toEqual([begun, cancelled, ...Array.from({ length: cuts }, () => kept)]);
    expect(ada.planTable.rows.get('ada')).not.toHaveProperty('billing_maybe_notified');
  });

  test('about cancelling and taking it back are limited, and tell the last state in the end', async () => {
    const id = await buy();
    await tell();
    for (let time = 0; time < 5; time += 1) {
      await cancel(id, at(0.01));
      await tell(at(0.01));
      await takeBack(id, at(0.02));
      await tell(at(0.02));
    }
    await runTasks(at(1));
    expect(sent()).toEqual([begun, cancelled, kept]);
  });

  test('about a purchase that is cancelled at once wait with the mail about cancelling', async () => {
    await ada.notices.claim('cancel', 'ada', at(-0.01));
    await buy({ endsAt: PERIOD_END });
    expect(await tell()).toEqual(at(1));
    expect(sent()).toEqual([]);
  });

  test('are not sent without an address, and count as sent', async () => {
    await buy();
    expect(await tell(now, async () => undefined)).toBeUndefined();
    await tell();
    expect(sent()).toEqual([]);
  });

  test('are not sent to an account that is being deleted, and are if the deletion failed', async () => {
    await buy();
    await ada.planTable.close('ada', at(1).toISOString());
    await tell();
    expect(sent()).toEqual([]);
    await tell(at(1));
    expect(sent()).toEqual([begun]);
  });

  test('remind of the end three days before, unless the plan goes on by then', async () => {
    const id = await buy();
    await tell();
    await cancel(id);
    await tell();
    const days = (count: number) => new Date(PERIOD_END * 1000 - count * 24 * HOUR);
    for (const day of [19, 12, 4]) await runTasks(days(day));
    expect(sent()).toHaveLength(2);
    await runTasks(days(2.9));
    await runTasks(days(2.8));
    expect(sent().slice(2)).toEqual(['subscription-ending to ada@example.com']);
    expect(ada.tasks.items.size).toBe(0);
  });

  test('do not remind of an end that was taken back at Stripe, although the event was lost', async () => {
    const id = await buy();
    await cancel(id);
    await tell();
    ada.billing.change(id, { endsAt: undefined });
    await runTasks(new Date(PERIOD_END * 1000 - 2.9 * 24 * HOUR));
    expect(sent().slice(2)).toEqual([kept]);
  });
});
