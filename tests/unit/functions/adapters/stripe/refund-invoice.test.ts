import type { Stripe } from 'stripe';
import { expect, test, vi } from 'vitest';
import { refundPeriods } from '../../../../../functions/adapters/stripe/refund-invoice.ts';
import { markOf } from '../../../../../functions/domain/mark.ts';
import { MemoryBilling } from '../../../../fixtures/fakes/memory-billing.ts';

test.each([
  ['of the last period alone, where nothing was bought beside it', undefined, ['pi_3']],
  ['that ends after the other subscription began, also if it began before', 150, ['pi_2', 'pi_3']],
])('a duplicate’s payment is refunded for each period %s', async (_, since, refunded) => {
  const invoices = [1, 2, 3].map((month) => ({
    id: `in_${month}`,
    lines: { data: [{ period: { start: (month - 1) * 100, end: month * 100 } }] },
  }));
  const create = vi.fn();
  const stripe = {
    invoices: { list: async () => ({ data: invoices }) },
    invoicePayments: {
      list: async ({ invoice }: { invoice: string }) => ({
        data: [{ payment: { payment_intent: invoice.replace('in', 'pi') } }],
      }),
    },
    refunds: { create },
  } as unknown as Stripe;
  const subscription = new MemoryBilling().subscribe('cus_1', { currentPeriodEnd: 300 });
  await refundPeriods(stripe, subscription, since, markOf('production', 'ada'));
  expect(create.mock.calls.map(([{ payment_intent }]) => payment_intent as string)).toEqual(refunded);
});
