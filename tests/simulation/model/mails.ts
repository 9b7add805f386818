import { dayInWords } from '../../../functions/emails/moment.ts';
import type { Notice } from '../../../functions/emails/layout.ts';
import type { Account } from '../world/account.ts';
import { MAX_WRONG_PLAN } from '../world/limits.ts';
import type { World } from '../world/world.ts';

/** The plan that a reader of the mails believes in. `ends`: the day in words. */
interface Belief {
  plan: 'free' | 'paid';
  ends: string | undefined;
}

const receipts: ReadonlySet<string> = new Set([
  'subscription-begun',
  'subscription-renewed',
  'payment-arrived',
]);

/** The address of the invoice in a receipt's button. */
const invoiceIn = ({ html }: Notice): string | undefined => /class="button" href="([^"]+)"/.exec(html)?.[1];

/** The reader of an account's mails knows its plan. Each payment has one mail, which names its amount. */
export function checkMails(world: World, account: Account): void {
  const mails = world.mailsTo.get(account.id) ?? [];
  checkBelief(world, account, mails);
  checkReceipts(world, account, mails);
  const repeated = mails.filter((mail, index) => mail.text === mails[index - 1]?.text).length;
  if (repeated > world.mayBeSentTwice) {
    world.violations.add(`${repeated} mails to ${account.id} repeat the one before.`);
  }
}

function checkBelief(world: World, account: Account, mails: readonly Notice[]): void {
  const expected = world.expectedPlanOf(account);
  // A deletion that failed halfway has cleared the row, and the mails about it say what becomes of the plan.
  if (expected.plan === 'either' || account.deletionRequested) return;
  const belief = mails.reduce(read, { plan: 'free', ends: undefined });
  const ends =
    expected.plan === 'paid' && expected.expiresAt !== undefined
      ? dayInWords(new Date(expected.expiresAt * 1000))
      : undefined;
  if (belief.plan === expected.plan && belief.ends === ends) return;
  const names = mails.map(({ name }) => name).join(', ');
  world.violations.add(
    `${account.id} is on ${expected.plan} until ${ends}, and the mails say ${belief.plan} until ${belief.ends}: ${names}.`,
  );
}

function read(before: Belief, { name, text }: Notice): Belief {
  const day = /(?:until|ends on) (\w+ \d+, \d{4})/.exec(text)?.[1];
  switch (name) {
    case 'subscription-begun':
    case 'subscription-kept':
      return { plan: 'paid', ends: day };
    case 'payment-arrived':
      return { plan: 'paid', ends: text.includes('renews automatically') ? undefined : before.ends };
    case 'complimentary-plan':
    case 'subscription-cancelled':
      return text.includes('has ended') ? { plan: 'free', ends: undefined } : { plan: 'paid', ends: day };
    case 'subscription-ended':
    case 'contract-withdrawn':
      return { plan: 'free', ends: undefined };
    default:
      return before;
  }
}

function checkReceipts(world: World, { id, model }: Account, mails: readonly Notice[]): void {
  const { stripe, violations } = world;
  const byInvoice = Map.groupBy(
    mails.filter(({ name }) => receipts.has(name)),
    invoiceIn,
  );
  for (const [url, same] of byInvoice) {
    const invoice = stripe.ledger.invoices.list().find(({ hosted_invoice_url: page }) => page === url);
    const amount = `$${((invoice?.amount_paid ?? 0) / 100).toFixed(2)}`;
    const isRight = invoice?.status === 'paid' && same.every(({ text }) => text.includes(`${amount} `));
    if (!isRight) violations.add(`A receipt of ${id} says another amount than ${amount}.`);
    if (same.length > 1 + world.mayBeSentTwice)
      violations.add(`${id} has ${same.length} receipts for ${url}.`);
  }
  // A silence of months hides payments, and a duplicate's payment is refunded.
  const isExpected = world.hourly && !world.wasSilent && world.unseenFor === 0;
  // A subscription that support ends or pauses before any decision has seen it never gave Plus.
  const wasSeen = ({ subscription, at, until }: (typeof model.payments)[number]): boolean =>
    Math.min(model.subscriptions.get(subscription)?.endedAt ?? Infinity, until) > at + MAX_WRONG_PLAN / 1000;
  // Two payments within a second, which nobody can make, have one mail.
  const seen = model.payments.filter((payment) => !payment.refunded && wasSeen(payment));
  const kept = new Set(seen.map(({ at }) => at)).size;
  if (isExpected && byInvoice.size < kept) {
    const names = mails.map(({ name }) => name).join(', ');
    violations.add(`${id} made ${kept} payments and has ${byInvoice.size} receipts: ${names}.`);
  }
}
