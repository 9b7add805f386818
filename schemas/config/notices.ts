/**
 * The mails that functions send through SES, with the occasion of each. A name is both the mail's file in
 * `functions/emails` and the value of its SES tag `notice`. Cognito sends the mails with codes.
 */
export const notices = {
  'account-deleted': 'A user has deleted the account, or nobody has signed in to it for a year.',
  'account-deletion': 'A deletion waits until a change of address can no longer be undone.',
  'account-idle': 'Nobody has signed in for eleven months; again a week before the account is deleted.',
  'email-change-undone': 'A change of address was undone from the mailbox of the earlier address.',
  'email-changed': 'The address of an account is being changed; goes to the earlier address.',
  'email-code': 'A user wants to change the address; goes to the new address.',
  'email-in-use': 'A user wants to change the address to that of another account; goes to that account.',
  'end-contract': 'Someone wants to end the contract of an account without signing in.',
  'new-sign-in': 'Someone has signed in to an account with a browser that it did not have before.',
  'password-changed': 'A password was changed on the dashboard, or reset with a code.',
  'provider-linked': 'Google or GitHub was linked to an account with the same address.',
  'sign-in-with-provider': 'Someone asked for a new password for an account that providers open.',
  'subscription-cancelled': 'A user has cancelled Plus, or withdrawn from the contract.',
} as const;

export type NoticeName = keyof typeof notices;
