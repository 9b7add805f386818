import { NOT_TRIED } from '../../../../functions/tasks/enqueue-task.ts';
import type { Findings } from '../findings.ts';
import { findAccount } from '../find-account.ts';
import { nameOf, planInWords } from '../in-words.ts';
import type { Tools } from '../tools.ts';

/** Orders the deletion of an account, which the billing tasks carry out like a user's own. */
export async function deleteAccount(tools: Tools, { user }: { user: string }): Promise<Findings> {
  const { accounts, tasks, planTable, now } = tools;
  const account = await findAccount(accounts, user);
  const { sub: id } = account;
  const row = await planTable.read(id);
  return {
    lines: [
      `${nameOf(account)} would be deleted within the hour.`,
      `The plan, ${row ? planInWords(row) : 'Free'}, and everything that is charged would end with it. It can't be undone.`,
    ],
    change: {
      action: 'delete',
      id,
      detail: 'within the hour',
      run: async () => {
        const task = { work: 'deletion', customer_id: id, user_id: id, failure: NOT_TRIED } as const;
        await tasks.enqueue(task, now, now);
        return [
          'The deletion is ordered. billing-tasks carries it out within the hour, and mails the user.',
          'An entry in the waitlist stays: see "A person wants to be deleted" in the runbook.',
        ];
      },
    },
  };
}
