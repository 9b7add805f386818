import * as z from 'zod/mini';

// Every function loads this file, so the variables share two schemas: to build one takes 0.1 ms.
const text = z.string();
const url = z.url();

/**
 * What functions may need from the stack. A need is a set of environment variables, listed here, and a grant,
 * listed in `infra/provisions.ts`. A function gets what its own needs list, and nothing else.
 */
export const needs = {
  /** Read rows of UserPlans by their key. */
  readPlans: { PLANS_TABLE: text },
  /** Read and write rows of UserPlans by their key. */
  writePlans: { PLANS_TABLE: text },
  /** Find the rows of UserPlans whose plan has expired. */
  findExpiredPlans: { PLANS_TABLE: text },
  /** Find the rows of UserPlans whose account is idle. */
  findIdlePlans: { PLANS_TABLE: text },
  /** Record in a row of UserPlans that a mail about a changed password was sent. */
  recordPasswordMails: { PLANS_TABLE: text },
  /** Read all rows of UserPlans, page by page. */
  scanPlans: { PLANS_TABLE: text },
  /** Remove a row of UserPlans. */
  deletePlans: { PLANS_TABLE: text },
  /** Add a task to StripeWork. */
  leaveTasks: { STRIPE_WORK_TABLE: text },
  /** Find, postpone and remove the tasks in StripeWork. */
  doTasks: { STRIPE_WORK_TABLE: text },
  /** Read and write the event catch-up's cursor in StripeWork. */
  eventCursor: { STRIPE_WORK_TABLE: text },
  /** Add an entry to the waitlist. */
  joinWaitlist: { WAITLIST_TABLE: text },
  /** Read a waitlist entry by its address. */
  readWaitlist: { WAITLIST_TABLE: text },
  /** Read, claim and release addresses of accounts. */
  addresses: { ADDRESSES_TABLE: text },
  /** Read which account has an address. */
  readAddresses: { ADDRESSES_TABLE: text },
  /** Read and write the changes of address of an account. */
  addressChanges: { ADDRESS_CHANGES_TABLE: text },
  /** Remove the changes of address of an account. */
  removeAddressChanges: { ADDRESS_CHANGES_TABLE: text },
  /** Read the changes of address of an account. */
  readAddressChanges: { ADDRESS_CHANGES_TABLE: text },
  /** Move a waitlist entry to another address. */
  moveWaitlist: { WAITLIST_TABLE: text },
  /** Call Stripe. `STRIPE_API` is an origin, `STRIPE_SECRET_ID` the secret that holds a `StripeSecret`. */
  stripe: { STRIPE_API: url, STRIPE_SECRET_ID: text },
  /**
   * Know how Cognito sends its mails. `SENDS_THROUGH_SES` is `true` or `false`: through SES Cognito takes
   * our text.
   */
  codeMail: { SENDS_THROUGH_SES: text },
  /** Write links to the site. `SITE_URL` is its origin, without a trailing slash. */
  site: { SITE_URL: url },
  /** Send mail through SES. `MAIL_FROM` is a mailbox like `Selfsame <no-reply@selfsame.example>`. */
  mail: { MAIL_FROM: text },
  /** Ask SES whether it still mails an address. */
  suppressedMail: {},
  /** Look users up in the user pool. */
  findAccounts: { USER_POOL_ID: text },
  /** List all users of the user pool. */
  listAccounts: { USER_POOL_ID: text },
  /** Store the export of the user pool. `BACKUP_BUCKET` is a bucket, `BACKUP_ACCOUNT` its AWS account. */
  backUpUsers: { USER_POOL_ID: text, BACKUP_BUCKET: text, BACKUP_ACCOUNT: text },
  /** Delete users of the user pool. */
  removeAccounts: { USER_POOL_ID: text },
  /** Look one account up by its user name or address. */
  lookUpAccounts: { USER_POOL_ID: text },
  /** Set an account's address. */
  setAddresses: { USER_POOL_ID: text },
  /** Take an account away from whoever can sign in to it: password, sessions and linked providers. */
  lockAccounts: { USER_POOL_ID: text },
  /** Sign in as the canary user. `CANARY_SECRET_ID` is the secret that holds a `CanarySecret`. */
  canary: { USER_POOL_ID: text, CANARY_CLIENT_ID: text, CANARY_SECRET_ID: text, CANARY_EMAIL: text },
  /** Sign users in at GitHub. Two origins, and the secret that holds an `OAuthClientSecret`. */
  github: { GITHUB_URL: url, GITHUB_API: url, GITHUB_SECRET_ID: text },
  /**
   * Issue ID tokens to Cognito. `OIDC_KEY_ID` is the KMS key that signs them, `OIDC_SECRET_ID` the secret
   * that holds an `IssuerSecret`, `COGNITO_CALLBACK` the only address that codes are sent to.
   */
  signIdTokens: { OIDC_KEY_ID: text, OIDC_SECRET_ID: text, COGNITO_CALLBACK: url },
} as const satisfies Record<string, Record<string, z.ZodMiniType>>;

export type Need = keyof typeof needs;

type Variables<N extends Need> = (typeof needs)[N];
/** The environment of a function with these needs. */
export type Environment<N extends Need> = {
  [K in N extends N ? keyof Variables<N> : never]: string;
};

/** Value of a provider's secret: our OAuth client there. */
export const OAuthClientSecret = z.object({ clientId: z.string(), clientSecret: z.string() });
export type OAuthClientSecret = z.infer<typeof OAuthClientSecret>;

/** Cognito's client id at `functions/github-oidc`. Not a secret. */
export const COGNITO_CLIENT_ID = 'cognito';

/** Value of the secret that Cognito authenticates with at `functions/github-oidc`. */
export const IssuerSecret = z.object({ clientSecret: z.string() });
export type IssuerSecret = z.infer<typeof IssuerSecret>;

/** Value of the secret with the canary user's password. */
export const CanarySecret = z.object({ password: z.string() });
export type CanarySecret = z.infer<typeof CanarySecret>;

/** The needs of functions without a route, by their file in `functions/`. `api.ts` has those of routes. */
export const backgroundFunctions = {
  'schedules/expiry-sweep': ['writePlans', 'findExpiredPlans', 'leaveTasks', 'stripe'],
  'schedules/billing-tasks': ['writePlans', 'deletePlans', 'doTasks', 'findAccounts', 'stripe'],
  'schedules/unconfirmed-sweep': ['addresses', 'findAccounts', 'removeAccounts'],
  'schedules/event-catch-up': [
    'writePlans',
    'scanPlans',
    'deletePlans',
    'leaveTasks',
    'eventCursor',
    'findAccounts',
    'stripe',
  ],
  'schedules/idle-accounts': [
    'writePlans',
    'findIdlePlans',
    'scanPlans',
    'deletePlans',
    'leaveTasks',
    'addresses',
    'removeAddressChanges',
    'findAccounts',
    'removeAccounts',
    'stripe',
    'mail',
    'suppressedMail',
    'site',
  ],
  'schedules/user-export': ['listAccounts', 'backUpUsers'],
  'schedules/unpaid-plus': ['readPlans', 'stripe'],
  // Of stages with a canary.
  'schedules/canary': ['canary', 'site'],
  // `infra/constructs/triggers.ts` gives triggers their rights to the user pool. As needs they would make a
  // cycle.
  'triggers/post-confirmation': ['writePlans', 'addresses', 'mail', 'site'],
  'triggers/custom-message': ['addresses', 'site', 'codeMail', 'suppressedMail'],
  'triggers/pre-sign-up': ['addresses', 'mail', 'codeMail', 'suppressedMail', 'site'],
  // EventBridge calls it with SES's events.
  'events/returned-mail': ['writePlans'],
} as const satisfies Record<string, readonly Need[]>;

export type BackgroundFunction = keyof typeof backgroundFunctions;
