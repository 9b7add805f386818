import { activeSubscription } from '../../../../functions/domain/decide-plan.ts';
import { askedFacts } from '../../../../functions/plans/asked-facts.ts';
import { customerIdOf } from '../../../../functions/domain/plan.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { stripeEventSubject } from '../../../../functions/domain/stripe-event-subject.ts';
import type { Findings } from '../findings.ts';
import { describeRuns, describeSubscription, describeTask, explainPlan } from '../explain-plan.ts';
import { findAccount } from '../find-account.ts';
import { moment, momentOfUnix, nameOf } from '../in-words.ts';
import type { Tools } from '../tools.ts';

// Days that Stripe lists events for.
const LISTED_FOR = 30;
// Stripe can't list a single customer's events. Ten requests read a thousand events of all customers.
const MOST_EVENTS = 1_000;
const SHOWN = 10;

/** Explains a user's plan: the row, Stripe, tasks left to do, and support's actions. */
export async function why(tools: Tools, { user }: { user: string }): Promise<Findings> {
  const { accounts, planTable, billing, audit, now } = tools;
  // A row may remain for a user who is no longer in the pool.
  const account = user.includes('@') ? await findAccount(accounts, user) : await accounts.withSub(user);
  const id = account?.sub ?? user;
  const [row, lines] = await Promise.all([planTable.read(id), audit.about(id)]);
  const title = account ? `${nameOf(account)}:` : `${id}, who is not in the user pool:`;
  const support = section('What support has done', describeRuns(lines));
  if (!row) {
    const missing = account
      ? 'There is no row: sign-up could not write it, and no page has read the plan yet.'
      : 'There is no row either: the account was deleted, or never existed.';
    return { lines: [title, missing, ...support] };
  }
  const customer = customerIdOf(row);
  const subscriptions = customer === undefined ? [] : await billing.subscriptionsOf(customer, row);
  const active = activeSubscription(subscriptions, row);
  const [tasks, events, asked] =
    customer === undefined
      ? [[], { shown: [], title: '' }]
      : await Promise.all([
          tools.tasksOf(customer),
          lastEvents(tools, customer),
          active && askedFacts(billing, active, subscriptions),
        ]);
  return {
    lines: [
      title,
      ...explainPlan(row, subscriptions, now, asked),
      ...bounce(row),
      ...section('Subscriptions at Stripe', subscriptions.map(describeSubscription)),
      ...section(events.title, events.shown),
      ...section('Left to be done at Stripe', tasks.map(describeTask)),
      ...support,
      'The runbook has the query for the log of all decisions about this sub.',
    ],
  };
}

const bounce = ({ address, mail_bounced_at: at }: UserPlan): string[] =>
  at === undefined
    ? []
    : [
        `Mail to ${address ?? 'the address'} bounces since ${moment(at)}: the user gets none, until the dashboard's button mails a link and the link is pressed, or the address changes.`,
      ];

/** The customer's newest events, as far back as the list is read. */
async function lastEvents(
  { billing, now }: Tools,
  customer: string,
): Promise<{ shown: string[]; title: string }> {
  const to = Math.floor(now.getTime() / 1000) + 1;
  const shown: string[] = [];
  let read = 0;
  let oldest = to;
  for await (const event of billing.eventsBetween(to - LISTED_FOR * 86_400, to)) {
    const subject = stripeEventSubject(event, billing.stage);
    if (subject) oldest = subject.created;
    if (subject?.customerId === customer) shown.push(`${momentOfUnix(subject.created)}: ${subject.type}`);
    read += 1;
    if (read === MOST_EVENTS || shown.length === SHOWN) break;
  }
  const reach = read === MOST_EVENTS ? `since ${momentOfUnix(oldest)}` : `of the last ${LISTED_FOR} days`;
  return { shown, title: `Events at Stripe ${reach}, newest first` };
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
