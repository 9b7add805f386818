import { endpoint } from '../../schemas/routes/export.ts';
import { addressChanges, appSessions, planTable, waitlist } from '../adapters/tables.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { cognitoSessionUser } from '../adapters/cognito/session-user.ts';
import { sessionNotes } from '../accounts/note-session.ts';
import { accountExport, type ExportDependencies } from '../accounts/account-export.ts';
import type { SessionUser } from '../adapters/cognito/session-user.ts';
import type { PlansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import { type NoteSession, route } from '../runtime/route.ts';
import { withAdapters } from '../runtime/with-environment.ts';

const adapters = {
  sessionUser: cognitoSessionUser,
  planTable,
  noteSession: sessionNotes,
  billing: stripeBilling,
  waitlist,
  addressChanges,
  appSessions,
};

interface Dependencies extends ExportDependencies {
  sessionUser: Pick<SessionUser, 'profile'>;
  planTable: Pick<PlansTable, 'read'>;
  noteSession: NoteSession;
}

export const exportAccount = (dependencies: Dependencies) =>
  route(endpoint, dependencies, (_, { user, profile, row, now }) =>
    accountExport(dependencies, { id: user.id, profile, row }, now),
  );

export const handler = withAdapters(endpoint, adapters, exportAccount);
