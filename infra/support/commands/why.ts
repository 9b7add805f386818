import { customerIdOf } from '../../../functions/domain/plan.ts';
import { stripeEventSubject } from '../../../functions/domain/stripe-event-subject.ts';
import type { Answer } from '../answer.ts';
import { describeRuns, describeSubscription, describeTask, explainPlan } from '../explain-plan.ts';
import { findAccount } from '../find-account.ts';
import { momentOfUnix, nameOf } from '../in-words.ts';
import type { Tools } from '../tools.ts';

// Days. Stripe lists events for thirty.
const LISTED_FOR = 30;
// Stripe can't list the events of one customer. Ten requests read a thousand of all.
const MOST_EVENTS = 1_000;
const SHOWN = 10;

/** Why a user has this plan: the row, Stripe, what is left to be done, and what support did. */
export async function why(tools: Tools, { user }: { user: string }): Promise<Answer> {
  const { accounts, plans, billing, audit, now } = tools;
  // A row can be left of a user who is not in the pool any more.
  const account = user.includes('@') ? await findAccount(accounts, user) : await accounts.withSub(user);
  const id = account?.sub ?? user;
  const [row, lines] = await Promise.all([plans.read(id), audit.about(id)]);
  const title = account ? `${nameOf(account)}:` : `${id}, who is not in the user pool:`;
  const support = section('What support has done', describeRuns(lines));
  if (!row) {
    const missing = account
      ? 'There is no row: sign-up could not write it, and no page has read the plan yet.'
      : 'There is no row either: the account was deleted, or never existed.';
    return { lines: [title, missing, ...support] };
  }
  const customer = customerIdOf(row);
  const subscriptions = customer === undefined ? [] : await billing.subscriptionsOf(customer);
  const [tasks, events] =
    customer === undefined
      ? [[], { shown: [], title: '' }]
      : await Promise.all([tools.tasksOf(customer), lastEvents(tools, customer)]);
  return {
    lines: [
      title,
      ...explainPlan(row, subscriptions, now),
      ...section('Subscriptions at Stripe', subscriptions.map(describeSubscription)),
      ...section(events.title, events.shown),
      ...section('Left to be done at Stripe', tasks.map(describeTask)),
      ...support,
      'The runbook has the query for the log of all decisions about this sub.',
    ],
  };
}

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
    const subject = stripeEventSubject(event);
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
