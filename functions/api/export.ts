import { endpoint } from '../../schemas/routes/export.ts';
import { sessionNotes } from '../accounts/note-session.ts';
import { accountExport, type ExportDependencies } from '../accounts/account-export.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import { addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import { appSessionsTable } from '../adapters/dynamodb/app-sessions-table.ts';
import { waitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { type NoteSession, route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies extends ExportDependencies {
  sessionUser: Pick<SessionUser, 'profile'>;
  planTable: Pick<PlansTable, 'read'>;
  noteSession: NoteSession;
}

export const exportAccount = (dependencies: Dependencies) =>
  route(endpoint, dependencies, (_, { user, profile, row, now }) =>
    accountExport(dependencies, { id: user.id, profile, row }, now),
  );

export const handler = withEnvironment(endpoint, (environment) =>
  exportAccount({
    sessionUser: cognitoSessionUser(),
    planTable: plansTable(environment.USER_PLANS_TABLE),
    noteSession: sessionNotes(environment),
    billing: stripeBilling(environment),
    waitlist: waitlistTable(environment.WAITLIST_TABLE),
    addressChanges: addressChangesTable(environment.ADDRESS_CHANGES_TABLE),
    appSessions: appSessionsTable(environment.APP_SESSIONS_TABLE),
  }),
);
