/**
 * The mails that functions send through SES, with the occasion of each. A name is both the mail's file in
 * `functions/emails` and the value of its SES tag `notice`. Cognito sends the mails with codes.
 */
export const notices = {
  'account-deleted': 'A user has deleted the account, or nobody has signed in to it for a year.',
  'account-deletion': 'A deletion waits until a change of address can no longer be undone.',
  'account-idle': 'Nobody has signed in for eleven months; again a week before the account is deleted.',
  'complimentary-plan': 'Support has given Plus without a payment.',
  'email-change-undone': 'A change of address was undone from the mailbox of the earlier address.',
  'email-changed': 'The address of an account is being changed; goes to the earlier address.',
  'email-code': 'A user wants to change the address; goes to the new address.',
  'email-in-use': 'A user wants to change the address to that of another account; goes to that account.',
  'end-contract': 'Someone wants to end the contract of an account without signing in.',
  'new-price': 'An operator has announced a new price of Plus, 30 days before it applies.',
  'new-sign-in': 'Someone has signed in to an account with a browser that it did not have before.',
  'password-changed': 'A password was changed on the dashboard, or reset with a code.',
  'payment-arrived': 'A payment for Plus that had failed has arrived.',
  'payment-failed': 'A renewal of Plus could not be charged.',
  'payment-refunded': 'A user had bought Plus twice, and the second payment was refunded.',
  'provider-disconnected': 'A user has disconnected a provider on the dashboard.',
  'provider-linked': 'A provider was linked to an account with the same address.',
  'sign-in-with-provider': 'Someone asked for a new password for an account that providers open.',
  'subscription-begun': 'A user has bought Plus.',
  'subscription-cancelled': 'Plus was cancelled, or a user has withdrawn from the contract.',
  'subscription-ended': 'Plus has ended.',
  'subscription-ending': 'Plus ends in three days.',
  'subscription-kept': 'A cancellation of Plus was taken back.',
  'subscription-renewed': 'Plus was renewed and paid.',
  'subscription-year': 'Once a year, to a payer.',
} as const;

export type NoticeName = keyof typeof notices;
