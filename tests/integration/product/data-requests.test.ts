import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exportAccount } from '../../../functions/api/export.ts';
import { noChanges } from '../../../functions/domain/address-change.ts';
import type { Answer } from '../../../infra/operate/support/answer.ts';
import { deleteAccount } from '../../../infra/operate/support/commands/delete.ts';
import { end } from '../../../infra/operate/support/commands/end.ts';
import { exportData } from '../../../infra/operate/support/commands/export.ts';
import type { Tools } from '../../../infra/operate/support/tools.ts';
import { type BillingWorld, startBillingWorld, type User } from '../../fixtures/worlds/billing-world.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';
import { MemoryEventCursor } from '../../simulation/world/memory-event-cursor.ts';
import { memoryPlans, memoryTasks } from '../../fixtures/fakes/memory-adapters.ts';

/** Support's commands for people who ask by mail for their data, the end of the contract or a deletion. */

let world: BillingWorld;
let ada: User;
const waitlist = { entryOf: async () => undefined };

beforeEach(async () => {
  for (const level of ['info', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {});
  const stores = { plans: memoryPlans(), cursor: new MemoryEventCursor(), tasks: memoryTasks() };
  world = await startBillingWorld('2030-01-15T12:00:00Z', { stores, inProcess: true });
  ada = await world.signUp();
  await world.buy(ada);
  await world.catchUp();
});
afterEach(() => world.close());

const account = () => ({
  sub: ada.id,
  username: ada.id,
  email: ada.email,
  emailVerified: true,
  name: 'Ada',
  status: 'CONFIRMED',
  enabled: true,
  createdAt: new Date(),
  providers: [],
  hasPassword: true,
});
const tools = () =>
  ({
    ...world.dependencies,
    waitlist,
    now: new Date(),
    accounts: { withSub: async () => account() },
  }) as unknown as Tools;
const planOf = async () => (await world.rowOf(ada))?.plan;
const run = async (answer: Promise<Answer>): Promise<string> => {
  const { lines, change } = await answer;
  return [...lines, ...((await change?.run()) ?? [])].join('\n');
};
const mails = () => world.mail.sent.map(({ email }) => email.name);
const pass = async (time: number) => {
  await world.advance(time);
  await world.runTasks();
};

test('ends a contract at the end of the paid time, once, and the user is mailed', async () => {
  const { lines } = await end(tools(), { user: ada.id, refund: false });
  expect(lines.join()).toContain('would keep Plus until February 15, 2030 at 12:00 UTC');
  expect((await world.rowOf(ada))?.plan_expires_at).toBeUndefined();
  await run(end(tools(), { user: ada.id, refund: false }));
  expect((await world.rowOf(ada))?.plan_expires_at).toBe('2030-02-15T12:00:00.000Z');
  await pass(HOUR);
  expect(mails()).toContain('subscription-cancelled');
  expect(await end(tools(), { user: ada.id, refund: false })).toEqual({
    lines: [expect.stringContaining('has cancelled already')],
  });
});

test('ends a contract at once with a refund, only while the purchase can be withdrawn from', async () => {
  await world.advance(16 * DAY);
  const refunded = () => end(tools(), { user: ada.id, refund: true });
  await expect(refunded()).rejects.toThrow('Only a purchase on the site in the last 14 days');
  vi.setSystemTime(new Date('2030-01-20T12:00:00Z'));
  expect(await run(refunded())).toContain('would lose Plus at once, and get back everything paid');
  expect(await planOf()).toBe('free');
  const [charge] = (await world.stripe.stripe.charges.list()).data;
  expect(charge).toMatchObject({ refunded: true, amount_refunded: 500 });
});

test('exports what the user’s own export has, into a file of its own', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'export-'));
  try {
    const file = path.join(folder, 'ada.json');
    await run(exportData(tools(), { user: ada.id, file }));
    const route = exportAccount({ ...world.dependencies, waitlist });
    const { body } = await world.ask(route, ada);
    expect(body).toMatchObject({ account: { id: ada.id, email: ada.email }, plan: { plan: 'plus' } });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(body);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(run(exportData(tools(), { user: ada.id, file }))).rejects.toThrow('EEXIST');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('deletes an account as its user would, within the hour', async () => {
  const customer = String((await world.rowOf(ada))?.billing_customer_id);
  const { lines } = await deleteAccount(tools(), { user: ada.id });
  expect(lines[0]).toContain('would be deleted within the hour');
  await pass(HOUR);
  expect(await planOf()).toBe('plus');
  await run(deleteAccount(tools(), { user: ada.id }));
  expect((await deleteAccount(tools(), { user: ada.id })).lines[0]).toContain('is being deleted already');
  await world.runTasks();
  expect(await world.rowOf(ada)).toBeUndefined();
  expect(await world.dependencies.pool.findBySub(ada.id)).toBeUndefined();
  expect(await world.stripe.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
  expect(mails()).toContain('account-deleted');
  expect(await world.dependencies.addressChanges.read(ada.id)).toBeUndefined();
});

test('a deletion waits while an earlier address can take a change of address back', async () => {
  const change = { email: 'earlier@example.com', token_hash: 'hash', changed_at: new Date().toISOString() };
  await world.dependencies.addressChanges.write({ ...noChanges(ada.id), version: 1, earlier: [change] });
  const said = await run(deleteAccount(tools(), { user: ada.id }));
  expect(said).toContain('would be closed within the hour, and deleted on January 22, 2030 at 12:00 UTC');
  await world.runTasks();
  expect((await world.dependencies.pool.findBySub(ada.id))?.enabled).toBe(false);
  expect(mails().filter((name) => name === 'account-deletion')).toHaveLength(2);
  await pass(6 * DAY);
  expect(await world.rowOf(ada)).toBeDefined();
  await pass(DAY);
  expect(await world.rowOf(ada)).toBeUndefined();
});

test('a deletion is refused for a locked account, and while another request changes it', async () => {
  const { addressChanges } = world.dependencies;
  const busy_until = new Date(Date.now() + HOUR).toISOString();
  await addressChanges.write({ ...noChanges(ada.id), version: 1, busy_until });
  await expect(deleteAccount(tools(), { user: ada.id })).rejects.toThrow('being changed right now');
  await addressChanges.write({ ...noChanges(ada.id), version: 2, locked: true });
  await expect(deleteAccount(tools(), { user: ada.id })).rejects.toThrow('The account is locked.');
});
