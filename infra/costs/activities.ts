/** Something that a user does, or Stripe on a user's account, and the calls that it leads to. */
export interface Activity {
  /** The function and its state in the call table of `tests/integration/product/calls.test.ts`. */
  asked: readonly [name: string, state: string];
  /** As in that table: a line for each wait, with the calls that are made at once. A test compares them. */
  calls: readonly string[];
  /** How often in a month, for each monthly user. */
  perUser: number;
}

/** What a month of a monthly user consists of. Assumed: nobody has used the product yet. */
export const usage = {
  /** Visits while signed in. */
  visits: 12,
  /** A session lasts up to sixty days; browsers and devices differ. */
  signIns: 1.5,
  /** Share of sign-ins with a provider. */
  google: 0.2,
  github: 0.1,
  signUps: 0.1,
  resets: 0.03,
  /** Share of users on Plus. */
  paying: 0.03,
  /** Purchases and cancellations. */
  purchases: 0.003,
  cancellations: 0.0015,
  /** Visits of people without an account, for each user. */
  visitorsPerUser: 3,
  /** Requests to CloudFront and megabytes in a visit. Most files are in the browser's cache. */
  requestsPerVisit: 15,
  megabytesPerVisit: 0.4,
  /** New tokens in a visit. An access token is good for fifteen minutes. */
  refreshesPerVisit: 1,
  /** Rows for each monthly user: most accounts are of people who come seldom. */
  rowsPerUser: 3,
} as const;

/** Events of a renewal and of a purchase that the webhook handles. From Stripe's documents. */
const EVENTS_OF_A_RENEWAL = 4;
const EVENTS_OF_A_PURCHASE = 6;

const { visits, signIns, github, signUps, resets, paying, purchases, cancellations } = usage;

const webhook = ['GetItem UserPlans', 'Stripe GET /v1/subscriptions', 'UpdateItem UserPlans'];

/** The activities that make up nearly all calls. */
export const activities = {
  'read the plan': {
    asked: ['plan', 'Free'],
    calls: ['GetItem UserPlans'],
    perUser: visits - signIns,
  },
  'read the plan after a sign-in': {
    asked: ['plan', 'Free, first visit since a sign-in'],
    calls: ['GetItem UserPlans', 'UpdateItem UserPlans'],
    perUser: signIns,
  },
  'read the invoices': {
    asked: ['billing', 'Plus'],
    calls: [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/charges + Stripe GET /v1/invoices + Stripe GET /v1/subscriptions',
    ],
    perUser: paying,
  },
  'open a checkout': {
    asked: ['create-checkout-session', 'Free, never bought'],
    calls: [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe POST /v1/customers',
      'UpdateItem UserPlans',
      'Cognito GetUser + Stripe POST /v1/checkout/sessions',
      'UpdateItem UserPlans',
    ],
    // Half of those who look buy.
    perUser: 2 * purchases,
  },
  'come back from a checkout': {
    asked: ['session-status', 'paid, unheard of'],
    calls: [
      'GetItem UserPlans + Stripe GET /v1/checkout/sessions/:id',
      'Stripe GET /v1/subscriptions',
      'UpdateItem UserPlans',
    ],
    perUser: purchases,
  },
  cancel: {
    asked: ['cancel-subscription', 'Plus'],
    calls: [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'Stripe POST /v1/subscriptions/:id',
      'UpdateItem UserPlans',
    ],
    perUser: cancellations,
  },
  'an event from Stripe': {
    asked: ['stripe-webhook', 'invoice.paid, Plus'],
    calls: webhook,
    perUser: EVENTS_OF_A_RENEWAL * paying + EVENTS_OF_A_PURCHASE * purchases,
  },
  'an upcoming renewal': {
    asked: ['stripe-webhook', 'invoice.upcoming'],
    calls: ['Stripe GET /v1/customers/:id', 'Cognito AdminGetUser', ...webhook],
    perUser: paying,
  },
  'sign up': {
    asked: ['triggers/pre-sign-up', 'PreSignUp_SignUp'],
    calls: ['Cognito AdminGetUser + GetItem Addresses + SES GetSuppressedDestination'],
    perUser: signUps,
  },
  'get a code': { asked: ['triggers/custom-message', 'CustomMessage_SignUp'], calls: [], perUser: signUps },
  'confirm an address': {
    asked: ['triggers/post-confirmation', 'PostConfirmation_ConfirmSignUp'],
    calls: ['PutItem Addresses', 'PutItem UserPlans'],
    perUser: signUps,
  },
  'forget a password': {
    asked: ['triggers/custom-message', 'CustomMessage_ForgotPassword'],
    calls: [],
    perUser: resets,
  },
  'set a new password': {
    asked: ['triggers/post-confirmation', 'PostConfirmation_ConfirmForgotPassword'],
    calls: ['Cognito AdminUserGlobalSignOut + UpdateItem UserPlans', 'SES SendEmail'],
    perUser: resets,
  },
  'begin a sign-in with GitHub': {
    asked: ['github-oidc', 'authorize'],
    calls: [],
    perUser: signIns * github,
  },
  'come back from GitHub': { asked: ['github-oidc', 'callback'], calls: [], perUser: signIns * github },
  'get tokens for a sign-in with GitHub': {
    asked: ['github-oidc', 'token'],
    calls: [
      'GitHub POST /login/oauth/access_token',
      'GitHub GET /user + GitHub GET /user/emails',
      'KMS Sign',
    ],
    perUser: signIns * github,
  },
} as const satisfies Record<string, Activity>;
