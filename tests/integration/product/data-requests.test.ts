import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test as base } from 'vitest';
import { handler as exportAccount } from '../../../functions/api/export.ts';
import type { Findings } from '../../../infra/operate/support/findings.ts';
import { deleteAccount } from '../../../infra/operate/support/commands/delete.ts';
import { exportData } from '../../../infra/operate/support/commands/export.ts';
import type { Tools } from '../../../infra/operate/support/tools.ts';
import { billingInMemory, type MemoryFixtures } from '../../fixtures/worlds/billing-world.ts';
import { HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';

/** Support's commands for people who ask by mail for their data or a deletion. */

interface Requests extends MemoryFixtures {
  /** The tools of the commands. Ada has bought Plus. */
  tools: Tools;
  /** Runs a command for real. Resolves with its lines. */
  run: (answer: Promise<Findings>) => Promise<string>;
}

const test = base.extend<Requests>({
  ...billingInMemory({ inProcess: true }),
  tools: async ({ world, ada }, use) => {
    await ada.buyPlus();
    const account = {
      sub: ada.id,
      username: ada.id,
      email: ada.email,
      emailVerified: true,
      name: 'Ada Lovelace',
      status: 'CONFIRMED',
      enabled: true,
      createdAt: new Date(),
      providers: [],
      hasPassword: true,
    };
    await use({
      ...world.dependencies,
      get now() {
        return new Date();
      },
      accounts: { withSub: async () => account },
    } as unknown as Tools);
  },
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of fixtures from a pattern.
  run: ({}, use) =>
    use(async (answer) => {
      const { lines, change } = await answer;
      return [...lines, ...((await change?.run()) ?? [])].join('\n');
    }),
});

test('exports what the user’s own export has, into a file of its own', async ({ world, ada, tools, run }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'export-'));
  try {
    const file = path.join(folder, 'ada.json');
    await run(exportData(tools, { user: ada.id, file }));
    const route = exportAccount.with(world.dependencies);
    const { body } = await ada.ask(route);
    expect(body).toMatchObject({ account: { id: ada.id, email: ada.email }, plan: { plan: 'plus' } });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(body);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(run(exportData(tools, { user: ada.id, file }))).rejects.toThrow('EEXIST');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('deletes an account as its user would, within the hour', async ({ world, ada, tools, run }) => {
  const customer = String((await ada.row())?.billing_customer_id);
  const { lines } = await deleteAccount(tools, { user: ada.id });
  expect(lines[0]).toContain('would be deleted within the hour');
  await world.advance(HOUR);
  await world.runTasks();
  expect(await ada.planName()).toBe('plus');
  await run(deleteAccount(tools, { user: ada.id }));
  await world.runTasks();
  expect(await ada.row()).toBeUndefined();
  expect(await world.dependencies.pool.findBySub(ada.id)).toBeUndefined();
  expect(await world.stripe.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
  expect(world.mail.sent.map(({ email }) => email.name)).toContain('account-deleted');
});
