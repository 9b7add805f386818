import type { Access } from './config/environment.ts';

/** The facts of a scheduled function. Its construct, log events, metrics and pause are derived. */
interface ScheduleFacts {
  minute: number;
  /** A sentence for the consoles of Lambda and EventBridge. */
  about: string;
  /** Whether a restore has to stop it: it writes plans, refunds, ends billing, deletes or stores accounts. */
  isPausable: boolean;
  /** Minutes after which Lambda ends a run. Fifteen is Lambda's maximum. @default 10 */
  timeout?: number;
  /** The function's event. @default EventBridge's own event */
  input?: Readonly<Record<string, unknown>>;
  access: Access;
}

/** The hourly functions, by their files in `functions/schedules/`. Each is safe to run twice. */
export const schedules = {
  // At different minutes, so that the schedules don't call Stripe at the same time.
  'expiry-sweep': {
    minute: 0,
    about: 'Finds expired plans, which are decided again after asking Stripe.',
    isPausable: true,
    access: { tables: { UserPlans: ['Query:by_expiry'] }, needs: ['dueQueue'] },
  },
  'event-catch-up': {
    minute: 30,
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
    minute: 45,
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
    minute: 15,
    about: 'Deletes accounts whose address was not confirmed within 48 hours.',
    // A restored table makes no confirmed account look unconfirmed.
    isPausable: false,
    access: {
      tables: { Addresses: ['GetItem', 'PutItem', 'DeleteItem'] },
      userPool: ['AdminGetUser', 'ListUsers', 'AdminDeleteUser'],
      needs: [],
    },
  },
  'idle-accounts': {
    minute: 20,
    about: 'Finds accounts that nobody signs in to: their owners are warned, and they are deleted.',
    isPausable: true,
    input: { task: 'feed' },
    access: {
      tables: { UserPlans: ['GetItem', 'DescribeTable', 'Query:by_idle'], Limits: ['GetItem'] },
      needs: ['dueQueue'],
    },
  },
  // Looks for what the webhook and the other schedules should have decided.
  'plan-agreement': {
    minute: 50,
    about: 'Compares all plans with all subscriptions at Stripe once a day, and decides those that differ.',
    isPausable: true,
    // Each run goes on where the last one stopped.
    timeout: 15,
    input: { restart: false },
    access: {
      tables: {
        UserPlans: ['GetItem', 'PutItem', 'UpdateItem', 'Scan'],
        StripeWork: ['GetItem', 'PutItem', 'UpdateItem'],
      },
      needs: ['stripe'],
    },
  },
} as const satisfies Record<string, ScheduleFacts>;

export type ScheduleName = keyof typeof schedules;
export const scheduleNames = Object.keys(schedules) as ScheduleName[];

/** The facts of a schedule, whatever it has. */
export const scheduleFactsOf = (name: ScheduleName): ScheduleFacts => schedules[name];

/** The function's file below `functions/`, without its extension, which log events use too. */
export type ScheduleEntry = `schedules/${ScheduleName}`;

/** Id of the function in the construct `Schedules`, such as `ExpirySweep`. */
export const scheduleIdOf = (name: ScheduleName): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
