import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { PendingAddress } from '../../schemas/rows/address-change.ts';

/** A new code, and its stored form. */
export function newCode(): { code: string; stored: Pick<PendingAddress, 'code_hash' | 'salt'> } {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const salt = randomBytes(16).toString('hex');
  return { code, stored: { code_hash: hashOfCode(code, salt), salt } };
}

export const isCode = (code: string, { code_hash, salt }: PendingAddress): boolean =>
  timingSafeEqual(Buffer.from(hashOfCode(code, salt)), Buffer.from(code_hash));

// Anyone who can read the table can try all six digits quickly. The hash keeps the code from being read at a
// glance, and a code is worth nothing without its owner's session.
const hashOfCode = (code: string, salt: string): string =>
  createHmac('sha256', salt).update(code).digest('hex');

/**
 * A token that restores an address: the account's id and 256 random bits. Only `hash` is stored. The id finds
 * the item and grants nothing by itself.
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
