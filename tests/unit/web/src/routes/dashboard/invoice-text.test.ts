import { describe, expect, test } from 'vitest';
import type { Invoice } from '../../../../../../schemas/shapes/invoice.ts';
import { formatAmount } from '../../../../../../web/src/plan/format-amount.ts';
import { statusText } from '../../../../../../web/src/routes/dashboard/invoice-text.ts';

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

test('an amount says how much of it is tax', () => {
  expect(formatAmount(500, 'usd')).toBe('$5.00');
  expect(formatAmount(500, 'usd', 80)).toBe('$5.00, including $0.80 tax');
});

describe('an amount', () => {
  test.each([
    ['$5.00', 500, 'usd'],
    ['$0.00', 0, 'usd'],
    ['$1,234.56', 123_456, 'usd'],
    ['¥500', 500, 'jpy'],
  ])('%s is %i of %s', (written, amount, currency) => {
    expect(formatAmount(amount, currency)).toBe(written);
  });
});
