import type { AppSessionsTable } from './app-sessions-table.ts';

/** Reads the sessions of a user. For handlers that are mostly about something else. */
export const storedAppSessions = (table: string): Pick<AppSessionsTable, 'of'> => ({
  async of(userId, now) {
    const { appSessionsTable } = await import('./app-sessions-table.ts');
    return appSessionsTable(table).of(userId, now);
  },
});
