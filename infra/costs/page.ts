import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { currentSnapshots } from '../changes/snapshot-files.ts';
import type { Snapshot } from '../changes/snapshot.ts';
import { stages } from '../stages.ts';
import { activities, usage } from './activities.ts';
import { demandOf } from './demand.ts';
import { fixedOf, runsOf } from './fixed.ts';
import { type Bill, monthlyBill, services } from './monthly.ts';
import { PRICES_READ, prices } from './prices.ts';
import { breakingPoints, PEAK, quotasOf } from './quotas.ts';

/** `npm run costs` writes this page. */
export const PAGE = path.resolve(import.meta.dirname, '../../.github/costs.md');

const USERS = [10_000, 100_000, 1_000_000, 10_000_000];

const demand = demandOf(Object.values(activities));

const dollars = (amount: number): string =>
  amount > 0 && amount < 1 ? '< 1' : Math.round(amount).toLocaleString('en-US');

const rounded = (users: number): string => Number(users.toPrecision(2)).toLocaleString('en-US');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

const billTable = (production: Snapshot): string => {
  const stage = { demand, fixed: fixedOf(production), runs: runsOf(production) };
  const bills = USERS.map((users) => monthlyBill({ ...stage, users }));
  const row = (name: string, of: (bill: Bill) => number): string[] => [
    name,
    ...bills.map((bill) => dollars(of(bill))),
  ];
  return table(
    ['$ a month', ...USERS.map((users) => `${users.toLocaleString('en-US')} users`)],
    [
      ...services.map((service) => row(service, (bill) => bill[service])),
      row('**together**', ({ total }) => total),
      [
        '**together, on Essentials**',
        ...USERS.map((users) => dollars(monthlyBill({ ...stage, users, plan: 'essentialsUsers' }).total)),
      ],
    ],
  );
};

const quotaTable = (): string =>
  table(
    ['limit', 'a second', 'monthly users', 'what to do'],
    breakingPoints(quotasOf(stages.production.throttle.rate), demand).map(({ quota, users }) => [
      `[${quota.name}](${quota.page})`,
      quota.limit.toLocaleString('en-US'),
      rounded(users),
      quota.remedy,
    ]),
  );

const readings = {
  aws: "AWS's page",
  others: 'others',
  'not verified': '**not verified**',
} as const;

const priceTable = (): string =>
  table(
    ['unit', '$ (from)', 'read on'],
    Object.values(prices).map(({ unit, steps, page, reading }) => [
      `[${unit}](${page})`,
      steps.map((step, index) => `${priceOf(step.dollars)}${from(steps, index)}`).join(', '),
      readings[reading],
    ]),
  );

const MILLION = 1_000_000;
const priceOf = (amount: number): string =>
  amount > 0 && amount < 0.001 ? `${Number((amount * MILLION).toPrecision(6))} a million` : `${amount}`;

const from = (steps: readonly { upTo: number }[], index: number): string =>
  index === 0 ? '' : ` (${steps[index - 1]?.upTo.toLocaleString('en-US')})`;

/** The page. Its numbers come from the code and from production's template, its text from here. */
export function pageOf(production: Snapshot): string {
  const fixed = fixedOf(production);
  return `# Cost and scale

\`npm run costs\` writes this page from \`infra/costs/\`; a test fails if it is out of date. Calls per activity are those of the call table in \`tests/integration/product/calls.test.ts\`, another test compares them. What is paid by the month is counted in the snapshot of production's template.

## What it costs

Monthly users are people who sign in, or whose session is renewed, within a month. Prices are those of us-east-1, on demand, without discounts and without the free offers of an account's first year. Stripe's fees, support plans and taxes are not in it. Staging costs what is paid by the month, without users.

${billTable(production)}

Cognito is most of it from a hundred thousand users on. Without any user, production has ${fixed.alarmMetrics} metrics in alarms, ${fixed.customMetrics} metrics of its own, ${fixed.webAclRules} rules of the firewall, ${fixed.secrets} secrets and ${fixed.keys === 1 ? 'one key' : `${fixed.keys} keys`}.

What is assumed of a user in a month, since nobody has used the product yet: ${usage.visits} visits, ${usage.signIns} sign-ins (${usage.google * 100} % with Google, ${usage.github * 100} % with GitHub), ${usage.paying * 100} % on Plus, ${usage.signUps * 100} % new; for each user, ${usage.visitorsPerUser} visits of people without an account. \`infra/costs/activities.ts\` has all of it: replace it with what the dashboard shows, and write the page again.

## What breaks first

The busiest second is assumed to be ${PEAK} times as busy as the average one. The limits are what AWS and Stripe document as usual, and our own. Limits that AWS's documents name are those of an account in use; the preflight tells if this one has less.

${quotaTable()}

Not among them, since they don't grow with monthly users: the throttles of single routes in \`schemas/routes/\`. No trigger calls \`ListUsers\` (30 a second, not adjustable). A launch is different from growth: many sign up within minutes. ${Math.floor(50 / 2)} people a second can sign up and confirm.

Scheduled jobs: the sweeps read only what is due. Each has ten minutes in an hour, the export of the users fifteen, and goes on in the next; \`UnfinishedRuns\` rings if it doesn't catch up. The event catch-up asks Stripe once for each customer with events: within Stripe's limit, fifteen thousand customers in ten minutes.

In this order:

1. Compare the dashboard's peak with the assumed one. Set \`throttle\` to ten times the peak.
2. Ask Stripe and AWS for more once half of a limit is used: Stripe wants six weeks.
3. From a million users, ask AWS for another price of Cognito: it is most of the bill.
4. From ten million, think of a second pool or region: below.

## Several regions

What a second region takes, and why there is none:

- **The user pool is in one region.** Nothing copies accounts with their passwords; a second pool is a second set of accounts. A user would belong to a region, and sign in there. The relay's and the providers' callbacks exist once for each pool.
- **Tables**: global tables copy rows in about a second, and the last write wins. \`reconcile\` relies on conditional writes, which hold in one region alone. Each user's row would have to be written in the user's own region.
- **The waitlist and the addresses** promise that an address exists once. That needs one home region.
- **Stripe** sends each event to every endpoint: a region that doesn't know the customer must leave it to the other.
- **CloudFront** already answers near the user. Only calls of the API travel: about 80 ms within the United States, 150 ms from Europe.
- **The privacy policy** says that hosting is in the United States.

For a region that fails, the tables can be restored elsewhere, and the pool has no backup. That is a recovery in hours, not a second region.

## Prices

Looked up on ${PRICES_READ} in stored copies of public pages, some of them older. "Others" are pages that quote AWS's. "From" names the units a month from which a price holds. Before you rely on it, compare the lines that are not verified with the linked page.

${priceTable()}
`;
}

if (import.meta.main) {
  writeFileSync(PAGE, pageOf(currentSnapshots().production));
  console.log(`Wrote ${path.relative(process.cwd(), PAGE)}.`);
}
