import type { Demand } from './demand.ts';

/** A limit of requests a second, and what to do when it comes near. */
export interface Quota {
  name: string;
  /** A second. */
  limit: number;
  /** What counts, of a user's demand. */
  of: (demand: Demand) => number;
  /** How much busier the busiest second is than the average one. @default PEAK */
  peak?: number;
  remedy: string;
  /** Where the limit is documented. */
  page: string;
}

const COGNITO = 'https://docs.aws.amazon.com/cognito/latest/developerguide/quotas.html';
const raise = 'Buy more in Service Quotas: Cognito sells it by the request a second.';

const vendorQuotas: readonly Quota[] = [
  {
    name: 'Stripe, lists of subscriptions',
    limit: 25,
    of: ({ stripeSubscriptionLists }) => stripeSubscriptionLists,
    remedy:
      'Ask Stripe for more, six weeks ahead. Until then webhooks are answered late, and Stripe repeats them.',
    page: 'https://docs.stripe.com/rate-limits',
  },
  {
    name: 'Stripe, all requests in live mode',
    limit: 100,
    of: ({ stripeRequests }) => stripeRequests,
    remedy: 'The same request to Stripe.',
    page: 'https://docs.stripe.com/rate-limits',
  },
  {
    name: 'Cognito UserToken (new tokens)',
    limit: 120,
    of: ({ userToken }) => userToken,
    remedy: `${raise} Longer access tokens need fewer, and end a stolen one later.`,
    page: COGNITO,
  },
  {
    name: 'Cognito UserAuthentication (sign-ins by password)',
    limit: 120,
    of: ({ userAuthentication }) => userAuthentication,
    remedy: raise,
    page: COGNITO,
  },
  {
    name: 'Cognito UserFederation (sign-ins with a provider)',
    limit: 25,
    of: ({ userFederation }) => userFederation,
    remedy: raise,
    page: COGNITO,
  },
  {
    name: 'Cognito UserCreation (sign-ups and confirmations)',
    limit: 50,
    of: ({ userCreation }) => userCreation,
    remedy: `${raise} Before a launch: it is the first to break when many come at once.`,
    page: COGNITO,
  },
  {
    name: 'Cognito UserAccountRecovery (resets)',
    limit: 30,
    of: ({ userAccountRecovery }) => userAccountRecovery,
    remedy: 'It can not be raised. Never ask all users for a new password at once.',
    page: COGNITO,
  },
  {
    name: 'Cognito UserRead',
    limit: 120,
    of: ({ userRead }) => userRead,
    remedy: raise,
    page: COGNITO,
  },
  {
    name: 'the daily export of all users of the pool, pages of ListUsers',
    // The average of a day in which each of the 16 parts takes a whole run: thirteen and a half minutes, with
    // ten pages a second.
    limit: 1.5,
    // Sixty users a page.
    of: () => 30 / 60,
    peak: 1,
    remedy:
      'Set `DIGITS` in `schemas/user-backup.ts` to 2, so that a part fits into a run again: then 24 runs a day store eleven million. For more, read several parts at a time; Cognito allows thirty pages a second, and sells no more. If a page takes longer than a tenth of a second, all of that is reached earlier.',
    page: COGNITO,
  },
  {
    name: 'SES, mails a second',
    limit: 14,
    of: ({ mails }) => mails,
    remedy: 'SES raises it by itself with a good record; else ask in Service Quotas.',
    page: 'https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas.html',
  },
  {
    name: 'Lambda, functions at a time',
    limit: 1_000,
    // Half a GB each, and so twice the GB-seconds in seconds.
    of: ({ gigabyteSeconds }) => gigabyteSeconds * 2,
    remedy: 'Ask for more in Service Quotas. A new account may have ten: the preflight says so.',
    page: 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html',
  },
  {
    name: 'API Gateway, requests of the account',
    limit: 10_000,
    of: ({ apiRequests }) => apiRequests,
    remedy: 'Ask for more in Service Quotas.',
    page: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html',
  },
  {
    name: 'DynamoDB, writes of a table on demand',
    limit: 40_000,
    of: ({ writes }) => writes,
    remedy: 'Ask for more in Service Quotas.',
    page: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html',
  },
];

/** The limits that grow with users. `throttle`: of the stage, in requests a second. */
export const quotasOf = (throttle: number): Quota[] => [
  {
    name: 'the throttle of production',
    limit: throttle,
    of: ({ apiRequests }) => apiRequests,
    remedy: 'Raise `throttle` in `infra/stages/production.ts`, and deploy.',
    page: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html',
  },
  ...vendorQuotas,
];

const SECONDS_OF_A_MONTH = 30 * 86_400;

/**
 * How much busier the busiest second is than the average one. At a hundred thousand users this makes some six
 * requests a second; a launch or an outage that ends makes more.
 */
export const PEAK = 10;

/** With how many monthly users each limit is reached at the peak, the lowest first. Pure. */
export const breakingPoints = (quotas: readonly Quota[], demand: Demand): { quota: Quota; users: number }[] =>
  quotas
    .map((quota) => {
      const { limit, of, peak = PEAK } = quota;
      return { quota, users: (limit * SECONDS_OF_A_MONTH) / (of(demand) * peak) };
    })
    .toSorted((one, other) => one.users - other.users);
