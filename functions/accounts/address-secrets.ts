import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { PendingAddress } from '../../schemas/address-change.ts';

/** A new code, and what is stored of it. */
export function newCode(): { code: string; stored: Pick<PendingAddress, 'code_hash' | 'salt'> } {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const salt = randomBytes(16).toString('hex');
  return { code, stored: { code_hash: hashOfCode(code, salt), salt } };
}

export const isCode = (code: string, { code_hash, salt }: PendingAddress): boolean =>
  timingSafeEqual(Buffer.from(hashOfCode(code, salt)), Buffer.from(code_hash));

// Six digits are soon tried through by someone who can read the table. The hash keeps the code from being
// read at a glance; a code is worth nothing without its owner's session.
const hashOfCode = (code: string, salt: string): string =>
  createHmac('sha256', salt).update(code).digest('hex');

/**
 * A token that sets an address back: the account's id and 256 random bits. `hash` is what is stored of it.
 * The id finds the item; it opens nothing by itself.
 */
export function newUndoToken(id: string): { token: string; hash: string } {
  const secret = randomBytes(32).toString('base64url');
  return { token: `${id}.${secret}`, hash: hashOf(secret) };
}

const UNDO_TOKEN = /^([\w-]{1,64})\.([\w-]{43})$/;

/** The parts of a token; undefined for any other text. */
export function readUndoToken(token: string): { id: string; hash: string } | undefined {
  const [, id, secret] = UNDO_TOKEN.exec(token) ?? [];
  return id && secret ? { id, hash: hashOf(secret) } : undefined;
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
