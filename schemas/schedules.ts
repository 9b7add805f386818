import type { Access } from './config/environment.ts';

/** The facts of a scheduled function. Its construct, log events, metrics and pause are derived. */
interface ScheduleFacts {
  /** UTC. Without an hour, the schedule runs every hour. */
  at: { hour?: number; minute: number };
  /** A sentence for the consoles of Lambda and EventBridge. */
  about: string;
  /** Whether a restore has to stop it: it writes plans, refunds, ends billing, deletes or stores accounts. */
  isPausable: boolean;
  /** Its limits are for each run, so a failed run isn't tried again before the next. @default false */
  hasLimitsPerRun?: true;
  /** Minutes after which Lambda ends a run. Fifteen is Lambda's maximum. @default 10 */
  timeout?: number;
  /** The function's event. @default EventBridge's own event */
  input?: Readonly<Record<string, unknown>>;
  access: Access;
}

/** The scheduled functions, by their files in `functions/schedules/`. Each is safe to run twice. */
export const schedules = {
  // At different minutes, so that the schedules don't call Stripe at the same time.
  'expiry-sweep': {
    at: { minute: 0 },
    about: 'Sets expired plans to Free, after asking Stripe.',
    isPausable: true,
    access: {
      tables: {
        UserPlans: ['GetItem', 'PutItem', 'UpdateItem', 'Query:by_expiry'],
        StripeWork: ['UpdateItem'],
      },
      needs: ['stripe'],
    },
  },
  'event-catch-up': {
    at: { minute: 30 },
    about: "Reads Stripe's event list and handles the events of lost webhooks.",
    isPausable: true,
    access: {
      tables: {
        UserPlans: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
        StripeWork: ['GetItem', 'PutItem', 'UpdateItem'],
      },
      userPool: ['AdminGetUser', 'ListUsers'],
      needs: ['stripe'],
    },
  },
  'billing-tasks': {
    at: { minute: 45 },
    about: 'Retries what Stripe refused: refunds, cancellations, the end of a deleted account.',
    isPausable: true,
    access: {
      tables: {
        UserPlans: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
        StripeWork: ['UpdateItem', 'DeleteItem', 'Query'],
        Waitlist: ['GetItem', 'PutItem', 'DeleteItem'],
        Addresses: ['GetItem', 'PutItem', 'DeleteItem'],
        AddressChanges: ['GetItem', 'PutItem', 'DeleteItem'],
        AppSessions: ['Query', 'DeleteItem'],
      },
      userPool: ['AdminGetUser', 'ListUsers', 'AdminDeleteUser', 'AdminUpdateUserAttributes'],
      needs: ['stripe', 'mail', 'site'],
    },
  },
  'unconfirmed-sweep': {
    at: { minute: 15 },
    about: 'Deletes accounts whose address was not confirmed within 48 hours.',
    // A restored table makes no confirmed account look unconfirmed.
    isPausable: false,
    access: {
      tables: { Addresses: ['GetItem', 'PutItem', 'DeleteItem'] },
      userPool: ['AdminGetUser', 'ListUsers', 'AdminDeleteUser'],
      needs: [],
    },
  },
  // Daily, because the promises to users are in days.
  'idle-accounts': {
    at: { hour: 9, minute: 20 },
    about: 'Warns the owners of accounts that nobody signs in to, and deletes them after a year.',
    isPausable: true,
    hasLimitsPerRun: true,
    input: { task: 'sweep' },
    access: {
      tables: {
        UserPlans: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query:by_idle'],
        StripeWork: ['UpdateItem'],
        Addresses: ['GetItem', 'PutItem', 'DeleteItem'],
        AddressChanges: ['DeleteItem'],
        AppSessions: ['Query', 'DeleteItem'],
      },
      userPool: ['AdminGetUser', 'ListUsers', 'AdminDeleteUser'],
      needs: ['stripe', 'mail', 'site'],
    },
  },
  // Nightly: looks for what the webhook and the hourly schedules should have decided.
  'plan-agreement': {
    at: { hour: 6, minute: 50 },
    about: 'Compares all plans with all subscriptions at Stripe, and decides those that differ.',
    isPausable: true,
    // One run has to read all subscriptions.
    timeout: 15,
    access: {
      tables: { UserPlans: ['GetItem', 'PutItem', 'UpdateItem', 'Scan'], StripeWork: ['UpdateItem'] },
      needs: ['stripe'],
    },
  },
} as const satisfies Record<string, ScheduleFacts>;

export type ScheduleName = keyof typeof schedules;
export const scheduleNames = Object.keys(schedules) as ScheduleName[];

/** The facts of a schedule, whatever it has. */
export const scheduleFactsOf = (name: ScheduleName): ScheduleFacts => schedules[name];

/** Whether the schedule runs daily, and not hourly. */
export const isDaily = (name: ScheduleName): boolean => scheduleFactsOf(name).at.hour !== undefined;

/** The function's file below `functions/`, without its extension, which log events use too. */
export type ScheduleEntry = `schedules/${ScheduleName}`;

/** Id of the function in the construct `Schedules`, such as `ExpirySweep`. */
export const scheduleIdOf = (name: ScheduleName): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
