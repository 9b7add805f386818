import type { Message } from '../base/inbox.ts';
import type { ScheduleState } from '../aws/scheduler/schedules.ts';
import type Stripe from 'stripe';
import type { ListedEvent, ListedSubscription } from '../vendors/stripe/service.ts';
import { document, Html, html } from '../base/html.ts';
import { type LogEntry, summaryOf } from '../base/log.ts';
import { button, cell, counted, fact, filter, linked, readable, table } from './elements.ts';

const sections = [
  { path: '/__local', name: 'Overview' },
  { path: '/__local/inbox', name: 'Inbox' },
  { path: '/__local/payments', name: 'Payments' },
  { path: '/__local/people', name: 'People' },
  { path: '/__local/rows', name: 'Tables' },
  { path: '/__local/timetable', name: 'Schedules' },
  { path: '/__local/logs', name: 'Logs' },
] as const;
export type Section = (typeof sections)[number]['path'];

export type Payments =
  | {
      kind: 'stand-in';
      customers: readonly (Stripe.Customer | Stripe.DeletedCustomer)[];
      subscriptions: readonly ListedSubscription[];
      events: readonly ListedEvent[];
    }
  | { kind: 'real' };

const FILTERED: ReadonlySet<Section> = new Set([
  '/__local/inbox',
  '/__local/payments',
  '/__local/people',
  '/__local/rows',
  '/__local/logs',
]);

/** A whole page. `watch`: a console address; the page polls it, and reloads when its answer changes. */
export function page({
  section,
  title,
  now,
  body,
  watch,
}: {
  section: Section;
  title: string;
  now: Date;
  body: Html;
  watch?: string;
}): string {
  return document({
    title: `${title} · local world`,
    head: html`<link rel="icon" href="data:," />
      <link rel="stylesheet" href="/__local/console.css" />
      <script type="module" src="/__local/console.js"></script>`,
    attributes: html`data-watch="${watch ?? ''}"`,
    body: html`<header>
        <p class="where"><a href="/">The site</a> <span>on this machine</span></p>
        <nav aria-label="Console">
          ${sections.map(
            ({ path, name }) =>
              html`<a href="${path}" ${path === section ? new Html('aria-current="page"') : ''}>${name}</a>`,
          )}
        </nav>
        <div class="clock">
          <span>It is <time datetime="${now.toISOString()}">${readable(now)}</time></span>
          ${button('+1 day', '/__local/clock', { advance: 'P1D' })}
          ${button('+1 month', '/__local/clock', { advance: 'P1M' })}
          <form data-advance>
            <label>
              Move by
              <input name="advance" placeholder="40 or P1M" size="8" required pattern="\\d+|P.+" />
              days
            </label>
            <button>Go</button>
          </form>
        </div>
        <output role="status"></output>
      </header>
      <main>
        <div class="title">
          <h1>${title}</h1>
          ${FILTERED.has(section) ? filter : undefined}
        </div>
        ${body}
      </main>`,
  });
}

export function overview({
  origin,
  mail,
  people,
  payments,
  schedules,
}: {
  origin: string;
  mail: readonly Message[];
  people: number;
  payments: Payments;
  schedules: readonly ScheduleState[];
}): Html {
  const failed = schedules.filter(({ last }) => last?.outcome.kind === 'failed').length;
  return html`<dl class="facts">
      ${fact('Site', html`<a href="/">${origin}</a>`)}
      ${fact('Mail', html`<a href="/__local/inbox">${counted(mail.length, 'message')}</a>`)}
      ${fact('People', html`<a href="/__local/people">${counted(people, 'account')}</a>`)}
      ${fact(
        'Payments',
        payments.kind === 'real'
          ? html`Stripe itself, in test mode`
          : html`<a href="/__local/payments">${counted(payments.events.length, 'event')}</a>`,
      )}
      ${fact(
        'Schedules',
        html`<a href="/__local/timetable"
          >${counted(schedules.length, 'schedule')}${failed ? `, ${failed} failed` : ''}</a
        >`,
      )}
    </dl>
    <p>
      Test cards: <code>4242 4242 4242 4242</code> pays, <code>4000 0000 0000 0002</code> is declined,
      <code>4000 0000 0000 0341</code> pays now and fails at the first renewal.
    </p>`;
}

export function paymentsPage(payments: Payments): Html {
  if (payments.kind === 'real') {
    return html`<p>
      Real Stripe is used: see
      <a href="https://dashboard.stripe.com/test/events">its dashboard</a>. Its time does not move with this
      clock.
    </p>`;
  }
  const { customers, subscriptions, events } = payments;
  if (events.length === 0) return html`<p>No events yet. Buy something.</p>`;
  return html`<section>
      <h2>Customers</h2>
      ${table('Customers', ['Customer', 'E-mail', 'Metadata', 'Since'], customers.map(customerRow))}
    </section>
    <section>
      <h2>Subscriptions</h2>
      ${table('Subscriptions', ['Subscription', 'Customer', 'Status', 'Period ends'], subscriptions.map(subscriptionRow))}
    </section>
    <section>
      <h2>Events</h2>
      ${table('Events', ['Event', 'When', 'Delivery', 'Action'], events.map(eventRow))}
    </section>`;
}

const inSeconds = (moment: number): string => readable(new Date(moment * 1000));

/** A Stripe object as a line that expands to the whole object. */
const opened = (summary: Html | string, data: unknown): Html =>
  html`<details>
    <summary>${summary}</summary>
    <pre>${linked(JSON.stringify(data, undefined, 2))}</pre>
  </details>`;

const customerRow = (customer: Stripe.Customer | Stripe.DeletedCustomer): (Html | string)[] =>
  customer.deleted
    ? [opened(customer.id, customer), 'deleted', '', '']
    : [
        opened(customer.id, customer),
        linked(customer.email ?? ''),
        linked(Object.values(customer.metadata).join(' ')),
        inSeconds(customer.created),
      ];

const subscriptionRow = ({ id, customer, status, data }: ListedSubscription): (Html | string)[] => {
  const end = data.items.data[0]?.current_period_end;
  return [opened(id, data), linked(customer), status, end === undefined ? '' : inSeconds(end)];
};

const eventRow = ({ id, type, created, delivery, attempts, lastStatus, data }: ListedEvent) => [
  opened(html`${type} <code>${id}</code>`, data),
  inSeconds(created),
  html`<span data-state="${delivery}">${delivery}${lastStatus === undefined ? '' : ` (${lastStatus})`}</span>
    ${attempts > 1 ? `after ${attempts} tries` : ''}`,
  button('Send again', `/__local/stripe/events/${id}/resend`),
];

/** `keys`: the attributes of the table's key, which come first. */
export interface ShownTable {
  name: string;
  keys: readonly string[];
  rows: readonly Record<string, unknown>[];
}

export function tables(all: readonly ShownTable[]): Html {
  return html`${all.map(({ name, keys, rows }) => {
    const columns = [...new Set([...keys, ...rows.flatMap((row) => Object.keys(row))])];
    return html`<section>
      <h2>${name}</h2>
      ${
        rows.length === 0
          ? html`<p>No rows.</p>`
          : table(
              name,
              columns,
              rows.map((row) => columns.map((column) => cell(row[column]))),
            )
      }
    </section>`;
  })}`;
}

export function timetable(schedules: readonly ScheduleState[]): Html {
  return table(
    'Schedules',
    ['Schedule', 'Next', 'Last', 'Action'],
    schedules.map(({ name, expression, nextAt, last }) => [
      html`<strong>${name}</strong> <code>${expression}</code>`,
      nextAt === null ? 'never' : readable(new Date(nextAt)),
      last
        ? html`<span data-state="${last.outcome.kind}">${last.outcome.kind}</span>
            ${readable(new Date(last.at))}
            <code
              >${
                last.outcome.kind === 'succeeded'
                  ? JSON.stringify(last.outcome.result)
                  : last.outcome.errorMessage
              }</code
            >`
        : 'not yet',
      button('Run now', `/__local/schedules/${name}`),
    ]),
  );
}

export function logs(entries: readonly LogEntry[]): Html {
  if (entries.length === 0) return html`<p>No function has logged anything yet.</p>`;
  const rows = entries.map((entry) => [
    readable(new Date(entry.at)),
    entry.function,
    html`<span data-level="${entry.level ?? ''}">${entry.level ?? ''}</span>`,
    entryOf(entry),
  ]);
  return html`<div class="entries">
    ${table('Log entries', ['When', 'Function', 'Level', 'Entry'], rows)}
  </div>`;
}

/** A line that expands to the whole entry. */
function entryOf(entry: LogEntry): Html {
  const { message: logged } = entry;
  const whole = typeof logged === 'string' ? logged : JSON.stringify(logged, withLines, 2);
  const line = html`<code>${summaryOf(entry)}</code>`;
  return typeof logged === 'string' && !logged.includes('\n')
    ? line
    : html`<details>
        <summary>${line}</summary>
        <pre>${linked(whole)}</pre>
      </details>`;
}

/** A replacer for `JSON.stringify`: a text of several lines, such as a stack, becomes a list of lines. */
const withLines = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.includes('\n') ? value.split('\n') : value;
