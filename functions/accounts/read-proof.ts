import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Proof, ProofPurpose } from '../../schemas/rows/proof.ts';
import type { Uses } from '../adapters/adapters.ts';
import type { Account } from '../domain/account-linking.ts';
import { isVoid, withMoment } from '../domain/account-moment.ts';
import { mailboxOf } from '../../schemas/shapes/mailbox.ts';
import { readCounted } from '../runtime/read-counted.ts';
import { holderOf } from './address-ownership.ts';

export interface ReadProof {
  proof: Proof;
  account: Account | undefined;
  row: UserPlan | undefined;
}

/**
 * Reads a mailed link. A change of address is about the account that asked, any other link about the account
 * that has the address now. `spelling`: the address that the link is used for, if it may be another of the
 * same mailbox. Undefined for another purpose or mailbox, after the link's end, and for a link that is older
 * than what its account has taken back.
 */
export async function readProof(
  dependencies: Uses<'addresses' | 'pool' | 'proofs' | 'planTable'>,
  token: string,
  purpose: ProofPurpose,
  now: Date,
  spelling?: string,
): Promise<ReadProof | undefined> {
  const { pool, proofs, planTable } = dependencies;
  const proof = await proofs.read(token, purpose, now);
  // Another spelling may have used up the mailbox's mails of the day.
  if (!proof || mailboxOf(proof.email) !== mailboxOf(spelling ?? proof.email)) return undefined;
  const account = await (proof.account === undefined
    ? holderOf(dependencies, spelling ?? proof.email)
    : pool.findBySub(proof.account));
  const { row, moment } = await readCounted(planTable, account?.sub);
  // A link from before the account was to an earlier account of the address. The account's own first link is
  // older than its row.
  const since = withMoment(moment, purpose === 'sign-up' ? undefined : row?.created_at);
  if (isVoid(since, proof.created_at)) return undefined;
  return { proof, account, row };
}
