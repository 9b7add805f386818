import type { BillingWork } from './billing-task.ts';
import type { PlanName } from './plan.ts';
import type { RefusalCode } from './refusal.ts';

/** Why a plan was decided as it was. `.github/runbook.md` explains each. */
export type PlanDecisionReason =
  | 'subscription-renews'
  | 'subscription-ends'
  | 'no-active-subscription'
  | 'complimentary'
  | 'complimentary-cancelled'
  | 'complimentary-expired';

/**
 * What made a function look at a user: a route (`GET /plan`), a Stripe event type, or a schedule
 * (`schedules/expiry-sweep`).
 */
export type Trigger = string;

/** What follows a change of address, and can fail without undoing it. */
export type AddressStep = 'waitlist' | 'customer' | 'current';

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
    trigger: Trigger;
  };
  /** A plan was not recomputed, because Stripe or the table failed. The row stays as it was. */
  'plan-not-decided': { user: string; trigger: Trigger };
  'duplicate-refunded': { user: string; subscription: string };
  /** Stripe refused something, or could not be reached. The schedule `billing-tasks` tries it again. */
  'billing-left': { work: BillingWork; customer: string; user: string | null };
  /**
   * It was tried for a day, or for two weeks and isn't tried any more (`givenUp`). `.github/runbook.md` says
   * what to do.
   */
  'billing-stuck': {
    work: BillingWork;
    customer: string;
    user: string | null;
    since: string;
    givenUp: boolean;
  };
  /** The row is on Plus by payment, and Stripe has had no subscription that gives it for two hours. */
  'plus-unpaid': { user: string; customer: string };
  /** Stripe refused our secret key, also after it was read again: 401, or 403 for a right it lacks. */
  'stripe-key-refused': { status: number };
  /** A refund did not reach the payer. Stripe returned the money to the account's balance. */
  'refund-failed': { user: string; customer: string };
  /** Stripe refused something that nobody waits for, and that needs no second try. */
  'checkout-not-expired': { user: string; session: string };
  'checkout-not-read': { user: string; session: string };
  'resumable-not-cancelled': { user: string; subscription: string };
  /** The billing of a user who has left the user pool was ended. */
  'orphaned-billing-ended': { user: string };
  /** A deleted account left an empty row behind. */
  'row-not-removed': { user: string };
  /** The owner of an idle account was warned. `deletedAfter`: ISO 8601. */
  'idle-account-warned': { user: string; warning: number; deletedAfter: string };
  'idle-account-deleted': { user: string };
  /** An account that was to be deleted stays: somebody has signed in, or Stripe knows a subscription. */
  'idle-account-kept': { user: string };
  /** A row has no user in the pool. It is removed; with a customer at Stripe, by the billing tasks. */
  'row-without-user': { user: string };
  /**
   * An account without a verified address, or whose mail comes back, can't be warned and isn't deleted. It is
   * looked at again after a year.
   */
  'idle-account-unreachable': { user: string };
  /** A run stopped warning or deleting at its limit. The next run goes on. */
  'idle-limit-reached': { step: 'warn' | 'delete'; limit: number };
  /** The address of a deleted account still counts as taken, until somebody else proves it. */
  'address-not-released': { user: string };
  /** A password was reset, and older sessions still work. */
  'sessions-not-ended': { user: string };
  /** It couldn't be read when the last mail about a changed password was sent, so another was sent. */
  'mail-not-limited': { user: string };
  /** A step that follows a change of address failed. The change stands. */
  'address-not-followed': { user: string; step: AddressStep };
  /** The address of an account was set back, or the account is disabled as another one has it by now. */
  'address-change-undone': { user: string; outcome: 'restored' | 'locked' };
  /** `.github/runbook.md` says what a lost mail means. */
  'mail-not-sent': { subject: string };
  /**
   * A mail bounced, or its recipient marked it as spam. `type` and `subType` are SES's. `notice` is absent
   * for a mail with a code, which Cognito sends.
   */
  'mail-returned': {
    eventType: 'Bounce' | 'Complaint';
    type?: string | undefined;
    subType?: string | null | undefined;
    notice?: string | undefined;
    user?: string | undefined;
    messageId: string;
  };
  /** SES didn't say whether it still mails an address. It was taken for one that it mails. */
  'suppression-not-read': object;
  /** The Stripe secret couldn't be read again after a refused key or signature. The earlier one stays. */
  'stripe-secret-not-read': object;
  'account-linked': { account: string; provider: string };
  /** A code was refused: it would change an account's address, or the account is signed up again. */
  'code-refused': { triggerSource: string };
  /** Another account has the address by now. The account was deleted. */
  'confirmation-refused': { account: string; because: 'taken' | 'being-removed' };
  'sign-up-refused': { triggerSource: string; sentence: string };
  'sign-up-failed': { triggerSource: string };
  'request-refused': { route: string; code: RefusalCode };
  'request-failed': { route: string };
  'sweep-finished': {
    sweep:
      | 'schedules/expiry-sweep'
      | 'schedules/event-catch-up'
      | 'schedules/billing-tasks'
      | 'schedules/idle-accounts'
      | 'schedules/unconfirmed-sweep'
      | 'schedules/user-export'
      | 'schedules/unpaid-plus';
    /** Users, or customers, that were looked at without a failure; of the export, users that are stored. */
    done: number;
    failures: number;
    /** Shards of the index that could not be read. */
    unreadShards: number;
    /** Whether time ran out. */
    unfinished: boolean;
    /** Whether customers were reconciled in place of events that Stripe no longer lists. */
    walked?: boolean;
    /** How many accounts were kept, warned and deleted. */
    outcomes?: Record<string, number>;
  };
  /** The canary couldn't open the home page, sign in, or read its plan. */
  'canary-failed': { step: 'page' | 'sign-in' | 'plan' };
  /**
   * A browser reports what the content security policy blocked, or with `report` would block. Anybody can
   * send such a report. `others`: further reports of the same request, which aren't logged.
   */
  'csp-violation': {
    directive: string;
    /** An origin, a scheme, or a word of CSP's such as `inline`. */
    blocked: string;
    /** The path of the page. */
    page: string;
    /** Host and path of the script. */
    source: string | null;
    line: number | null;
    disposition: 'enforce' | 'report';
    others: number;
  };
  'github-step-refused': { step: string; code: string };
  'github-step-failed': {
    step: string;
    code: string;
    upstream?: 'github';
    /** What GitHub was asked for, and the status it answered with. */
    request?: string;
    status?: number | string;
  };
  /** GitHub refused for a reason that the user can't mend, such as an address that isn't registered. */
  'github-sign-in-refused': { upstream: 'github'; code: string | undefined };
}

export type LogEvent = keyof LogEvents;

/**
 * Where a metric filter finds the name of an event: Lambda's JSON logging keeps what was logged under
 * `message`.
 */
export const LOG_EVENT_FIELD = '$.message.event';
