import { describe } from 'vitest';
import { refusedCalls, settlingRows } from '../../fixtures/refusal-table.ts';
import { testRefusals } from '../../fixtures/refused-calls.ts';

// The other half of refusals.test.ts, so that both run at once.
describe('a refusal by Stripe of what settles a plan locks nobody out', () => {
  testRefusals(settlingRows, refusedCalls);
});
