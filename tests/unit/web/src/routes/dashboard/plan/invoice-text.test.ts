import { describe, expect, test } from 'vitest';
import type { Invoice } from '../../../../../../../schemas/shapes/invoice.ts';
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
