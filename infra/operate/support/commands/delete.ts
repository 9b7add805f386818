import { enqueueDeletion } from '../../../../functions/accounts/waiting-deletion.ts';
import { updateAddressChange } from '../../../../functions/accounts/update-address-change.ts';
import { isBusy, noChanges } from '../../../../functions/domain/address-change.ts';
import { deletionOrdered } from '../../../../functions/domain/waiting-deletion.ts';
import type { AddressChange } from '../../../../schemas/rows/address-change.ts';
import type { Answer } from '../answer.ts';
import { findAccount } from '../find-account.ts';
import { moment, nameOf, planInWords } from '../in-words.ts';
import type { Tools } from '../tools.ts';

/**
 * Requests the deletion of an account, which the billing tasks carry out as they carry out a user's own
 * request. It waits while a change of address can be taken back.
 */
export async function deleteAccount(tools: Tools, { user }: { user: string }): Promise<Answer> {
  const { accounts, addressChanges, planTable, now } = tools;
  const account = await findAccount(accounts, user);
  const { sub: id } = account;
  const [row, read] = await Promise.all([planTable.read(id), addressChanges.read(id)]);
  const before = read ?? noChanges(id);
  if (before.deletion) {
    return { lines: [`${nameOf(account)} is being deleted already, on ${moment(before.deletion.due_at)}.`] };
  }
  const due = dueOf(order(before, now), now);
  const change = {
    action: 'delete',
    id,
    detail: `due ${due ?? 'at once'}`,
    run: async () => {
      await enqueueDeletion(tools, id, now, now);
      await updateAddressChange(addressChanges, id, (latest) => order(latest, now));
      return [
        'The deletion is requested. billing-tasks carries it out within the hour, and mails the user.',
        'An entry in the waitlist stays: see "A person wants to be deleted" in the runbook.',
      ];
    },
  };
  return {
    lines: [
      due === undefined
        ? `${nameOf(account)} would be deleted within the hour.`
        : `${nameOf(account)} would be closed within the hour, and deleted on ${moment(due)}: until then, an earlier address can take a change of address back.`,
      `The plan, ${row ? planInWords(row) : 'Free'}, and everything that is charged would end with it. It can't be undone.`,
    ],
    change,
  };
}

/** The item with the order. Undefined if a deletion was ordered meanwhile. */
function order(change: AddressChange, now: Date): AddressChange | undefined {
  if (change.locked) throw new Error('The account is locked. See "Locked after an undo" in the runbook.');
  if (isBusy(change, now))
    throw new Error('The account is being changed right now. Try again in some minutes.');
  return deletionOrdered(change, now);
}

/** Undefined for a deletion at once. */
const dueOf = (ordered: AddressChange | undefined, now: Date): string | undefined => {
  const due = ordered?.deletion?.due_at;
  return due === now.toISOString() ? undefined : due;
};
