import type { AccountExport } from '../../schemas/shapes/account-export.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { PersonalTable } from '../../schemas/tables.ts';
import { type Profile, verifiedEmailOf } from '../domain/profile.ts';
import type { Uses } from '../adapters/adapters.ts';
import { attempt } from '../runtime/attempt.ts';
import { releaseAddress } from './address-ownership.ts';

/** The tables that an export reads. */
export type ReadTables = Uses<'waitlist' | 'addressChanges' | 'appSessions'>;

/** The tables that a deletion removes data from. */
export type RemovalTables = Uses<'addresses' | 'addressChanges' | 'appSessions'>;

export interface ExportedAccount {
  id: string;
  profile: Profile;
  row: UserPlan | undefined;
}

export interface RemovedAccount {
  id: string;
  /** In the user pool. */
  username: string;
  /** Undefined if it was never proved. */
  email: string | undefined;
}

/** The parts of an export that come from a table. */
export type ExportedData = Omit<
  AccountExport,
  'exported_at' | 'account' | 'standing' | 'subscriptions' | 'invoices'
> &
  Pick<AccountExport['account'], 'providers_taken_off'>;

interface PersonalData {
  /** Reads the table's part of an account's export, or says why it has none. */
  exports:
    | ((tables: ReadTables, account: ExportedAccount, now: Date) => Promise<Partial<ExportedData>>)
    | { nothing: string };
  /** Removes a deleted account's items, or says why they stay. */
  removes: ((tables: RemovalTables, account: RemovedAccount) => Promise<void>) | { nothing: string };
}

export const personalData = {
  UserPlans: {
    exports: async (_, { row }) => ({ plan: row ?? null }),
    removes: { nothing: 'The row goes first: `delete-closed-account.ts`.' },
  },
  Waitlist: {
    // An unverified address may belong to another person on the waitlist.
    exports: async ({ waitlist }, { profile }) => {
      const address = verifiedEmailOf(profile);
      return { waitlist: (address ? await waitlist.entryOf(address) : undefined) ?? null };
    },
    removes: { nothing: 'The waitlist needs no account: support takes an entry off on request.' },
  },
  StripeWork: {
    exports: { nothing: 'An item has ids alone, and is removed when its work is done.' },
    removes: { nothing: 'What is left to do, such as a refund, outlives the account.' },
  },
  AddressChanges: {
    exports: async ({ addressChanges }, { id }) => {
      const change = await addressChanges.read(id);
      return { address_change: change?.waiting ?? null, providers_taken_off: change?.disconnected ?? [] };
    },
    removes: ({ addressChanges }, { id }) => addressChanges.remove(id),
  },
  Proofs: {
    exports: { nothing: 'A link lives for days, and is kept as a hash.' },
    removes: { nothing: 'A link proves an address, whichever account has it. DynamoDB deletes its item.' },
  },
  Addresses: {
    exports: { nothing: 'The profile has the same address.' },
    removes: async ({ addresses }, { id, username, email }) => {
      if (email !== undefined) await releaseAddress(addresses, id, { email, username });
    },
  },
  AppCodes: {
    exports: { nothing: 'A code lives for a minute, and is kept as a hash.' },
    removes: { nothing: 'A code lives for a minute. DynamoDB deletes its item.' },
  },
  AppSessions: {
    exports: async ({ appSessions }, { id }, now) => {
      const { apps, browsers } = await appSessions.of(id, now);
      return {
        apps: apps.map(({ redirect_uri, created_at, used_at }) => ({
          address: redirect_uri,
          signed_in_at: created_at,
          used_at,
        })),
        browsers: browsers.map(({ kind, signed_in_at, used_at }) => ({ kind, signed_in_at, used_at })),
      };
    },
    removes: ({ appSessions }, { id }) => appSessions.removeAll(id),
  },
  SupportAudit: {
    exports: { nothing: 'It records what our support did. Support answers a request for it.' },
    removes: { nothing: 'It proves what support did with an account, also after its deletion.' },
  },
} satisfies Record<PersonalTable, PersonalData>;

export async function exportedData(tables: ReadTables, account: ExportedAccount, now: Date) {
  const parts = await Promise.all(
    Object.values(personalData).map(({ exports }) =>
      typeof exports === 'function' ? exports(tables, account, now) : Promise.resolve({}),
    ),
  );
  // The response's schema refuses an export that lacks a part.
  return Object.assign({}, ...parts) as ExportedData;
}

/**
 * Removes a deleted account's items. A failure is only logged: the user can't try again, and most of the
 * items expire by themselves.
 */
export async function removeData(tables: RemovalTables, account: RemovedAccount): Promise<void> {
  await Promise.all(
    Object.values<PersonalData>(personalData).map(async ({ removes }) => {
      if (typeof removes !== 'function') return;
      await attempt('row-not-removed', { user: account.id }, () => removes(tables, account));
    }),
  );
}
