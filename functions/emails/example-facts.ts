import { lowestPaidPlan, plans } from '../../schemas/product/offers.ts';
import { type ProviderKey, providerKeys } from '../../schemas/product/providers.ts';
import type { Payment, Refund } from '../../schemas/rows/notified.ts';
import type { Standing } from '../../schemas/shapes/standing.ts';

const plan = lowestPaidPlan;
const [provider] = providerKeys as [ProviderKey];
const at = new Date('2026-01-20T23:05:00Z');
// Unix seconds.
const seconds = at.getTime() / 1000;
const later = new Date('2026-03-15T08:00:00Z');
const ends = later.toISOString();
const laterEnd = '2026-04-15T12:00:00.000Z';
const money = { amount: 950, currency: 'usd' };
const payAt = 'https://invoice.stripe.com/i/1';
const paid: Payment = { plan, at: seconds, ...money, url: payAt, isFirst: false, years: 2 };
const refunded: Refund = { at: seconds, because: 'duplicate', ...money };
const pricedPlan = { plan, interval: 'month', price: money } as const;
const charge = { subscription: 'sub_1', ...pricedPlan, on: ends, money };
const charges = [charge];
const standing = { kind: 'renews', ...pricedPlan, on: ends, until: null, charges } satisfies Standing;
const ending = { kind: 'ends', plan, on: ends, renewal: 'free', charges: [] } satisfies Standing;
const failed = {
  kind: 'failed',
  ...pricedPlan,
  money,
  endsAt: null,
  paysUntil: ends,
  payAt,
  nextTry: null,
  lostOn: null,
  cause: null,
  charges,
} satisfies Standing;

/**
 * The facts that mails are written from, each with an example. The user's name is none of them: a name, also
 * one from a provider, can contain a link.
 */
export const exampleFacts = (siteUrl: string) => ({
  siteUrl,
  at,
  /** The account's `sub`. */
  user: 'ada',
  email: 'ada@example.com',
  /** Whether the account has a password. */
  hasPassword: true,
  provider,
  /** The providers that open the account, the one that made it first. */
  providers: [provider] as readonly [ProviderKey, ...ProviderKey[]],
  /** The providers that an act has taken off. */
  removed: [] as readonly ProviderKey[],
  /** Whether a sign-in with a provider has brought an address. */
  byProvider: false,
  /** A text of `browserKind`. */
  kind: 'Firefox on Windows',
  /** Stands after `#`, so that it appears in no log and no Referer. */
  token: 'a-token',
  code: '123456',
  /** The result of `recoveryLink` or `resetLink`. */
  url: `${siteUrl}/reset-password?access_token=a-token&refresh_token=a-sub`,
  /** The plan's name. */
  name: plans[plan].name,
  standing: standing as Standing,
  paid,
  subscriptionEnded: false,
  /** Whether the account was deleted because nobody had signed in for a year. */
  wasIdle: false,
  deletionAt: later,
  /** Whether no other mail comes before the deletion. */
  isLast: false,
  /** Whether all earlier sessions have certainly ended. */
  sessionsEnded: false,
  /** Whether the plan had ended meanwhile. */
  wasLost: false,
  failed: failed as Extract<Standing, { kind: 'failed' }>,
  refunded,
  /** ISO 8601. */
  boughtOn: at.toISOString(),
  /** Undefined where the buyer can't withdraw. */
  withdrawUntil: undefined as Date | undefined,
  /** Undefined if the plan ended at once: a payment was due. */
  lastsUntil: later as Date | undefined,
  /** The plan's end, ISO 8601. */
  ends,
  /** Whether support has waived a payment that had failed. */
  isForgiven: false,
  /** Whole or half years. */
  years: 1,
});
export type Facts = ReturnType<typeof exampleFacts>;

/** Other facts, for variants of mails. */
export const otherFacts = {
  plan,
  provider,
  later,
  ends,
  laterEnd,
  charge,
  failed,
  refunded,
  standing,
  ending,
  /** With an end. */
  complimentary: { ...ending, renewal: 'purchase' } satisfies Standing,
  free: { kind: 'free', endedAt: ends } satisfies Standing,
};
