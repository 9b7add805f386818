import { describe } from 'vitest';
import { refusedCalls, settlingRows } from '../../fixtures/worlds/refusal-table.ts';
import { testRefusals } from '../../fixtures/worlds/refused-calls.ts';

// The other half of refusals.test.ts, so that both run at once.
describe('a refusal by Stripe of what settles a plan locks nobody out', () => {
  testRefusals(settlingRows, refusedCalls);
});
