import { createHmac, randomBytes } from 'node:crypto';
import { retention } from '../../../schemas/product/retention.ts';
import { Proof, type ProofPurpose } from '../../../schemas/rows/proof.ts';
import { once } from '../once.ts';
import { readKeySecret } from '../secrets.ts';
import { put, read, remove } from './client.ts';

const DAY = 86_400;

/** Seconds for which a link works. A person who reads the mail in the evening can still use it. */
const LIFETIMES: Record<ProofPurpose, number> = {
  'sign-up': DAY,
  reset: DAY,
  'end-contract': DAY,
  'new-address': DAY,
  // As long as the change can wait.
  'old-address': retention.daysToApprove * DAY,
  // The page that asked for it uses it at once.
  'sign-in': 300,
};

/** Writing the table makes no link without the secret that tokens are hashed with. */
export const proofsTable = (of: Record<'PROOFS_TABLE' | 'PROOFS_SECRET_ID', string>) =>
  proofsHashedWith(
    of.PROOFS_TABLE,
    once(async () => (await readKeySecret(of.PROOFS_SECRET_ID)).key),
  );
export type Proofs = ReturnType<typeof proofsHashedWith>;

/** The links in our mails, in the table Proofs. Making, reading or guessing a link changes no other. */
export function proofsHashedWith(table: string, key: () => Promise<string>) {
  const keyOf = async (token: string) => ({
    id: createHmac('sha256', await key())
      .update(token)
      .digest('base64url'),
  });
  return {
    /** Resolves with the token for the link: 256 random bits. */
    async create(proof: Omit<Proof, 'id' | 'created_at' | 'expires_at'>, now: Date) {
      const token = randomBytes(32).toString('base64url');
      const expires_at = Math.floor(now.getTime() / 1000) + LIFETIMES[proof.purpose];
      const item: Proof = { ...(await keyOf(token)), ...proof, created_at: now.toISOString(), expires_at };
      await put(table, item);
      return token;
    },

    /** Undefined for another purpose, after the link's end, and after `remove`. */
    async read(token: string, purpose: ProofPurpose, now: Date) {
      const proof = await read(table, await keyOf(token), Proof);
      return proof?.purpose === purpose && now.getTime() < proof.expires_at * 1000 ? proof : undefined;
    },

    /** Ends a link that works once. Resolves with true for one of several callers at once. */
    remove: async (token: string) => (await remove(table, await keyOf(token))) !== undefined,
  };
}
