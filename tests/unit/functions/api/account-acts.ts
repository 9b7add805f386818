import { beforeEach, vi } from 'vitest';
import { AccountWorld } from '../../../fixtures/fakes/account-world.ts';
import { refused } from '../../../fixtures/fakes/http-event.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

export const A = 'ada@example.com';
export const NEW = 'new@example.com';
export const password = 'her own password';
export const ofStranger = 'password of a stranger';
export const invalid = refused(410, 'link-invalid');

/** The accounts of the current test. */
export let world = new AccountWorld();
export let { pool, addresses, planTable, proofs, limits, mail } = world.parts;
export let owner = world.actor();
export let stranger = world.actor();

/** Begins each test with `ada`, the owner’s confirmed account, at a stopped clock. Returns what is logged. */
export function beginWithAccount() {
  stopClock('2026-01-20T12:00:00Z');
  const log = watchLog();
  beforeEach(async () => {
    world = await AccountWorld.with(A);
    ({ pool, addresses, planTable, proofs, limits, mail } = world.parts);
    [owner, stranger] = [world.actor(), world.actor()];
  });
  return log;
}

export const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

/** The owner sets a password by a mailed link. */
export async function reset(email = A) {
  await owner.mailLink(email);
  return owner.resetPassword(world.tokenTo(email, 'reset'), password);
}
