import type { Endpoint } from '../../schemas/routes/endpoint.ts';
import { type AccountMoment, isSessionEnded } from '../domain/account-moment.ts';
import type { KnownAccount } from '../domain/profile.ts';
import { type CountedTable, readCounted } from './read-counted.ts';
import type { User } from './read-request.ts';
import { Refusal } from './refusal.ts';

/** The part of a user's row that says what opens the account, and since when. */
type AccountRow = KnownAccount & AccountMoment;

/** The adapters that `route` itself uses before it calls the handler of a route for signed-in users. */
export interface SessionAdapters {
  /** The user's row says since when its sessions count; one more row says that for all users. */
  planTable: CountedTable<AccountRow>;
  /** Asked only about a user without a row, or without an address in it: `account` refuses a deleted user. */
  sessionUser: { account: (accessToken: string) => Promise<KnownAccount> };
}

/** The adapters for a route that also notes the session. */
export interface NotingAdapters extends SessionAdapters {
  noteSession: NoteSession;
}

/** A request of a signed-in user. */
export interface SessionRequest {
  now: Date;
  user: User;
  /** A header's value, by its lower-case name. */
  header: (name: string) => string | undefined;
  /** Like `name=value`, and the answer's cookies with their attributes. */
  cookies: { sent: readonly string[]; set: string[] };
}

/** Notes the session of a request, and writes nothing before `confirmed`. */
export type NoteSession<Noted = unknown> = (
  request: SessionRequest,
  confirmed: Promise<KnownAccount>,
) => Promise<Noted>;

export interface ConfirmedSession<Row = AccountRow, Noted = unknown> {
  /** From the user's row, or from Cognito if there is none. */
  account: KnownAccount;
  /** The user's row, if it exists. */
  row: Row | undefined;
  /** The answer of `noteSession`. */
  noted: Noted;
}

/**
 * Reads the row and the account's other sessions in parallel: reading changes nothing, and nothing is
 * answered or done before the row has confirmed the session.
 */
export async function readSession(
  { notesSession, appToken }: Endpoint,
  request: SessionRequest,
  adapters: NotingAdapters,
): Promise<ConfirmedSession> {
  const { planTable, sessionUser } = adapters;
  const { user } = request;
  const readAccount = async (): Promise<Omit<ConfirmedSession, 'noted'>> => {
    const { row, moment } = await readCounted(planTable, user.id);
    if (isSessionEnded(moment, user)) throw new Refusal('not-signed-in');
    // A deletion clears the row before it removes the user, and the row of support's hand has no address.
    // An app's token is none for Cognito's operations: a route that accepts it checks what it opens.
    const isKnown = row?.address !== undefined || appToken !== undefined;
    const account = isKnown ? (row ?? {}) : await sessionUser.account(user.accessToken);
    return { row, account };
  };
  const reading = readAccount();
  const confirmed = reading.then(({ account }) => account);
  const [known, noted] = await Promise.all([
    reading,
    notesSession ? adapters.noteSession(request, confirmed) : confirmed.then(() => undefined),
  ]);
  return { ...known, noted };
}
