import { withdrawal } from './product.ts';

/** The words about refunds: a sentence without a full stop, since the exceptions follow in the pages. */
export const refundText = ({ offered, days }: typeof withdrawal): string =>
  offered
    ? `You can withdraw within ${days} days of the purchase, and get everything back. Otherwise payments are not refunded`
    : 'Payments are not refunded';

export const refunds = refundText(withdrawal);
