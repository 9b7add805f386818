import type { BillingWork } from '../rows/billing-task.ts';
import type { PlanName } from '../product/offers.ts';
import type { RefusalCode } from '../refusal.ts';
import type { ScheduleEntry } from '../schedules.ts';

/** A rule about plans that always holds, by what breaks it. */
export type PlanRule =
  /** A paid plan with neither a subscription nor an end. */
  | 'plus-without-basis'
  | 'end-without-plus'
  | 'end-and-renewing-subscription'
  /** Two subscriptions that give a plan, after duplicates were ended. */
  | 'several-subscriptions';

/** The reason for a plan decision: a subscription at Stripe, or the state of a complimentary plan. */
export type PlanDecisionReason =
  | 'subscription-renews'
  | 'subscription-ends'
  | 'no-active-subscription'
  | 'complimentary'
  | 'complimentary-cancelled'
  | 'complimentary-expired';

/**
 * Every event that functions log, with the fields of its line. Users are named by their Cognito `sub`. Lines
 * of a request have its `requestId` as well: API Gateway's, which the caller has in `apigw-requestid`.
 */
export interface LogEvents {
  /** A plan was written; also where nothing changed. */
  'plan-decided': {
    user: string;
    from: PlanName;
    to: PlanName;
    /** ISO 8601; null while Plus renews, and on Free. */
    expiresAt: string | null;
    because: PlanDecisionReason;
    subscription: string | null;
    /** The cause: `GET /plan`, a Stripe event type, or `schedules/expiry-sweep`. */
    trigger: string;
  };
  /** A plan was not recomputed, because Stripe or the table failed. The row stays as it was. */
  'plan-not-decided': { user: string; trigger: string };
  'duplicate-refunded': { user: string; subscription: string };
  /** Stripe refused a request or could not be reached. The schedule `billing-tasks` tries again. */
  'billing-deferred': { work: BillingWork; customer: string; user: string | null };
  /** A task failed for a day, or for two weeks and was given up (`givenUp`). */
  'billing-stuck': LogEvents['billing-deferred'] & { since: string; givenUp: boolean };
  /** A row isn't what Stripe's subscriptions give, and nothing has changed there for two hours. */
  'plan-disagrees': { user: string; customer: string | null; row: PlanName; stripe: PlanName };
  /** Stripe refused our secret key, also as read again: 401, or 403 for a missing permission. */
  'stripe-key-refused': { status: number };
  /** Stripe said no to what a user asked for, and would again. The user is told to write to support. */
  'stripe-refused': { route: string; user: string | null };
  'plan-contradiction': { user: string; rule: PlanRule };
  /** A sentence or a mail names no amount or no cause, because Stripe could not be asked. */
  'billing-not-read': Record<string, never>;
  /** Stripe can't finalize an invoice: nothing is charged, and the plan goes on. */
  'invoice-not-finalized': { user: string; customer: string };
  /** Support has arranged that Stripe mails the invoices of a subscription. Nobody else collects them. */
  'invoices-mailed': { user: string; customer: string };
  /** A refund did not reach the payer. Stripe returned the money to the account's balance. */
  'refund-failed': { user: string; customer: string };
  /** A Checkout Session couldn't be expired. Nobody waits for that, and no second try is needed. */
  'checkout-not-expired': { user: string; session: string };
  'checkout-not-read': { user: string; session: string };
  'incomplete-not-cancelled': { user: string; subscription: string };
  /** The billing of a user who has left the user pool was ended. */
  'orphaned-billing-ended': { user: string; customer: string };
  /** The earlier customer could pay only in another currency. `billing-tasks` ends and deletes it. */
  'customer-replaced': { user: string; customer: string; replacement: string };
  /** `not-ours`: no mark of ours names the user. `shared`: another product has a running subscription. */
  'customer-not-deleted': { user: string; customer: string; because: 'not-ours' | 'shared' };
  'row-not-removed': { user: string };
  /** The owner of an idle account was warned. `deletedAfter`: ISO 8601. */
  'idle-account-warned': { user: string; warning: number; deletedAfter: string };
  'idle-account-deleted': { user: string };
  /** An account that was to be deleted stays: the user has signed in, or Stripe knows a subscription. */
  'idle-account-kept': { user: string };
  /** A row without a user in the pool is removed; with a customer at Stripe, by the billing tasks. */
  'row-without-user': { user: string };
  /** Without a verified address, or while its mail bounces, an account stays, and is checked in a year. */
  'idle-account-unreachable': { user: string };
  /** Today has several times the warnings or deletions of the busiest day of the week before. */
  'idle-jump': { step: 'warn' | 'delete'; today: number; busiest: number };
  /** A due account failed, and SQS sends its message again. `message`: task and user, as JSON. */
  'due-account-failed': { message: string };
  /** A sign-in or a renewed token wasn't recorded. An account without a recorded use in a year is deleted. */
  'use-not-recorded': { user: string };
  /** The address of a deleted account still counts as taken, until another account proves it. */
  'address-not-released': { user: string };
  'sessions-not-ended': { user: string };
  'sessions-not-tidied': { user: string; step: string };
  /** It couldn't be read whether such a mail was just sent, so another was sent. */
  'mail-not-limited': { user: string };
  /** The link in a mail about an account couldn't be made. The mail leads to the page that asks for one. */
  'link-not-made': object;
  /** A step that follows a change of address failed. The change stands. */
  'address-not-propagated': { user: string; step: 'waitlist' | 'customer' };
  /** Mails about a plan couldn't be sent at once. The schedule `billing-tasks` tries again. */
  'plan-notices-not-sent': { user: string };
  'mail-not-sent': { subject: string };
  /** `type` and `subType` are SES's. `notice` is absent for a mail with a code, which Cognito sends. */
  'mail-returned': {
    eventType: 'Bounce' | 'Complaint';
    type?: string | undefined;
    subType?: string | null | undefined;
    notice?: string | undefined;
    user?: string | undefined;
    messageId: string;
  };
  /** The day's counter of an address couldn't be written, so the mail or the code was allowed. */
  'limit-not-counted': { kind: string };
  /** SES didn't answer whether it suppresses an address. The address was treated as deliverable. */
  'suppression-not-read': object;
  /** The Stripe secret couldn't be read again after a refused key or signature. The earlier secret stays. */
  'stripe-secret-not-read': object;
  'account-linked': { account: string; provider: string };
  /** A code was refused: it would have changed an account's address, or the account signs up again. */
  'code-refused': { triggerSource: string };
  /** Another account has the address by now. The new account was deleted. */
  'confirmation-refused': { account: string; because: 'taken' | 'being-removed' | 'password-discarded' };
  'sign-up-refused': { triggerSource: string; sentence: string };
  'sign-up-failed': { triggerSource: string };
  /** A ticket that signs in was used before, is over, or isn't this user's. */
  'ticket-refused': { user: string | null };
  /** `unfinished`: the account's confirmation stopped before it claimed the address. */
  'tokens-refused': { user: string; because: 'provider-taken-off' | 'unfinished' | 'address-taken' };
  /** A provider gave another address for an account, and the account has it now. */
  'address-brought': { user: string };
  /** The same failed. The user's next sign-in with the provider tries again. */
  'address-not-followed': { user: string };
  'request-refused': { route: string; code: RefusalCode };
  'request-failed': { route: string };
  'sweep-finished': {
    sweep: ScheduleEntry;
    /** Users, or customers, processed without a failure, or sent to the queue. */
    done: number;
    failures: number;
    unreadShards: number;
    /** Whether due work is left for the next run. */
    unfinished: boolean;
  };
  'canary-failed': { step: 'page' | 'sign-in' | 'plan' };
  /** Anyone can send such a report. `others`: further reports in the request, which aren't logged. */
  'csp-violation': {
    directive: string;
    /** An origin, a scheme, or a word of CSP's such as `inline`. */
    blocked: string;
    page: string;
    /** Host and path of the script. */
    source: string | null;
    line: number | null;
    disposition: 'enforce' | 'report';
    others: number;
  };
  /** A page crashed, or the browser interfered with it. Anyone can send such a report. */
  'page-crash': { type: 'crash' | 'intervention'; page: string; reason: string };
  'app-refused': { route: string; code: string };
  /** A used refresh token came again (copied, or the new one not stored), which ended the session. */
  'app-token-reused': { user: string; address: string };
  /** An app's session was ended here, and Cognito didn't confirm it. Nobody has a token that works. */
  'app-session-not-revoked': { user: string };
  'github-step-refused': { step: string; code: string };
  'github-step-failed': LogEvents['github-step-refused'] & {
    upstream?: 'github';
    /** The request to GitHub, and the status of its answer. */
    request?: string;
    status?: number | string;
  };
  /** GitHub refused for a reason that the user can't fix, such as an unregistered address. */
  'github-sign-in-refused': { upstream: 'github'; code: string | undefined };
}

export type LogEvent = keyof LogEvents;
