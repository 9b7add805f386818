import { writeFile } from 'node:fs/promises';
import { accountExport } from '../../../../functions/accounts/account-export.ts';
import { AccountExport } from '../../../../schemas/shapes/account-export.ts';
import type { Findings } from '../findings.ts';
import { findAccount } from '../find-account.ts';
import { nameOf } from '../in-words.ts';
import type { Tools } from '../tools.ts';

/** Writes everything that we store about a user to a file, as the dashboard's export does. */
export async function exportData(
  tools: Tools,
  { user, file: named }: { user: string; file: string | undefined },
): Promise<Findings> {
  const { accounts, planTable, now } = tools;
  const account = await findAccount(accounts, user);
  const { sub: id, email, emailVerified, name, providers, hasPassword } = account;
  const address = email.includes('@') ? email.toLowerCase() : undefined;
  const profile = { email: address, emailVerified, name, providers, hasPassword };
  const file = named ?? `account-${id}.json`;
  const change = {
    action: 'export',
    id,
    detail: 'all data of the account',
    run: async () => {
      const stored = await accountExport(tools, { id, profile, row: await planTable.read(id) }, now);
      const text = `${JSON.stringify(AccountExport.parse(stored), null, 2)}\n`;
      // For the caller's eyes alone, and in no file that exists already.
      await writeFile(file, text, { flag: 'wx', mode: 0o600 });
      return [`${file} is written. It holds personal data: delete it after use.`];
    },
  };
  return { lines: [`Everything about ${nameOf(account)} would be written into ${file}.`], change };
}
