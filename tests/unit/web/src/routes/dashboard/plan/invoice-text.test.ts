import { describe, expect, test } from 'vitest';
import type { Invoice } from '../../../../../../../schemas/shapes/invoice.ts';
import { formatAmount } from '../../../../../../../web/src/plan/format-amount.ts';
import { statusText } from '../../../../../../../web/src/routes/dashboard/plan/invoice-text.ts';

const invoice: Invoice = {
  number: 'A-0001',
  date: '2026-01-01T00:00:00.000Z',
  amount: 500,
  currency: 'usd',
  status: 'paid',
  hosted_invoice_url: null,
  invoice_pdf: null,
};

describe('what has become of an invoice', () => {
  test.each([
    ['Paid', { status: 'paid' }],
    ['Due', { status: 'open' }],
    ['Processing', { status: 'open', processing: true }],
    ['Void', { status: 'void' }],
    ['Not collected', { status: 'uncollectible' }],
    ['Refunded', { status: 'paid', refunded: 500 }],
    ['$2.00 refunded', { status: 'paid', refunded: 200 }],
    ['Unknown', { status: null }],
    ['settled', { status: 'settled' }],
    ['constructor', { status: 'constructor' }],
  ] as const)('is said as %s', (words, change) => {
    expect(statusText({ ...invoice, ...change })).toBe(words);
  });
});

test.each([
  ['$5.00', 500, 'usd', undefined],
  ['$0.00', 0, 'usd', undefined],
  ['$1,234.56', 123_456, 'usd', undefined],
  ['¥500', 500, 'jpy', undefined],
  ['$5.00, including $0.80 tax', 500, 'usd', 80],
])('an amount is written as %s', (written, amount, currency, tax) => {
  expect(formatAmount(amount, currency, tax)).toBe(written);
});
