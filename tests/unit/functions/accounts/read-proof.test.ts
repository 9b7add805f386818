import { expect, test } from 'vitest';
import { readProof } from '../../../../functions/accounts/read-proof.ts';
import { addressDependencies } from '../../../fixtures/fakes/address-world.ts';

const now = new Date('2026-01-20T12:00:00Z');
const minuteAgo = new Date(now.getTime() - 60_000);
const email = 'ada@example.com';

test('a link is older than its account only if it confirms the sign-up', async () => {
  const world = addressDependencies();
  world.pool.put({ username: 'ada', email });
  world.planTable.put({ id: 'ada', created_at: now.toISOString() });
  const read = async (purpose: 'reset' | 'sign-up', at: Date) =>
    readProof(world, await world.proofs.create({ purpose, email }, at), purpose, now);
  expect(await read('reset', minuteAgo)).toBeUndefined();
  expect(await read('reset', now)).toMatchObject({ account: { username: 'ada' } });
  expect(await read('sign-up', minuteAgo)).toMatchObject({ account: { username: 'ada' } });
});
