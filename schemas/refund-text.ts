interface Withdrawal {
  offered: boolean;
  /** After the day of the purchase. */
  days: number;
}

/** Adds the words about refunds. A sentence without a full stop: the exceptions follow in the pages. */
export const withRefundText = (withdrawal: Withdrawal): Withdrawal & { refunds: string } => ({
  ...withdrawal,
  refunds: withdrawal.offered
    ? `For ${withdrawal.days} days after the purchase you can withdraw from the contract, and get everything back. After that, payments are not refunded`
    : 'Payments are not refunded',
});
