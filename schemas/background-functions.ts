import type { Access } from './config/environment.ts';
import { type ScheduleName, schedules } from './schedules.ts';
import { countedMail } from './routes/endpoint.ts';

const accessOfSchedules = Object.fromEntries(
  Object.entries(schedules).map(([name, { access }]) => [`schedules/${name}`, access]),
) as { [N in ScheduleName as `schedules/${N}`]: (typeof schedules)[N]['access'] };

/** The access of functions without a route, by their file in `functions/`. */
export const backgroundFunctions = {
  ...accessOfSchedules,
  // Only stages with a canary have this function.
  'schedules/canary': { needs: ['canary', 'site'] },
  // Triggers get their pool rights in `infra/constructs/identity/triggers.ts`: entries would be a cycle.
  'triggers/post-confirmation': {
    tables: {
      UserPlans: ['GetItem', 'PutItem', 'UpdateItem'],
      Addresses: ['GetItem', 'PutItem', 'DeleteItem'],
    },
    needs: [],
  },
  'triggers/custom-message': {
    tables: { Proofs: ['PutItem'], Limits: countedMail },
    needs: ['proofs', 'site', 'codeMail', 'suppressedMail'],
  },
  'triggers/pre-sign-up': {
    tables: {
      Addresses: ['GetItem', 'PutItem', 'DeleteItem'],
      AddressChanges: ['GetItem', 'PutItem'],
      Proofs: ['PutItem'],
      Limits: countedMail,
    },
    needs: ['proofs', 'mail', 'codeMail', 'suppressedMail', 'site'],
  },
  'triggers/sign-in-by-ticket': {
    tables: { UserPlans: ['GetItem'], Proofs: ['GetItem', 'DeleteItem'] },
    needs: ['proofs'],
  },
  'triggers/pre-token-generation': {
    tables: {
      UserPlans: ['GetItem', 'UpdateItem'],
      Addresses: ['GetItem', 'PutItem', 'DeleteItem'],
      AddressChanges: ['GetItem', 'PutItem'],
      Limits: countedMail,
      Proofs: ['PutItem'],
      StripeWork: ['UpdateItem'],
    },
    needs: ['proofs', 'mail', 'site'],
  },
  // SQS calls this function with the accounts that the schedules have found.
  'schedules/due-accounts': {
    tables: {
      UserPlans: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      StripeWork: ['UpdateItem'],
      Limits: ['UpdateItem'],
      Addresses: ['GetItem', 'PutItem', 'DeleteItem'],
      AddressChanges: ['DeleteItem'],
      AppSessions: ['Query', 'DeleteItem'],
    },
    userPool: ['AdminGetUser', 'ListUsers', 'AdminDeleteUser'],
    needs: ['stripe', 'mail', 'site'],
  },
  // EventBridge calls this function with SES's events.
  'events/undeliverable-mail': {
    tables: { UserPlans: ['GetItem', 'UpdateItem'], Addresses: ['GetItem'], Limits: ['PutItem'] },
    userPool: ['AdminGetUser'],
    needs: [],
  },
} as const satisfies Record<string, Access>;

export type BackgroundFunction = keyof typeof backgroundFunctions;
