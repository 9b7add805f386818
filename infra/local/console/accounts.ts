import * as z from 'zod/mini';
import type { RunningServices } from '../aws/services.ts';
import type { ConnectedStripe } from '../connect-stripe.ts';
import type { ListedUser } from '../aws/cognito/accounts.ts';

/** A user, with the data that the product has stored about the plan. */
export interface Account extends ListedUser {
  state: AccountState;
  /** ISO 8601. Null if nothing ends. */
  endsAt: string | null;
  /** The customer's id at Stripe. Null if there is none. */
  customer: string | null;
}

type AccountState =
  | 'Unconfirmed'
  | 'No plan yet'
  | 'Free'
  | 'Plus'
  | 'Plus, ending'
  | 'Plus, past due'
  | 'Complimentary'
  | 'Complimentary, ending';

/**
 * The attributes of the product's rows that the console understands. Only this page reads them here, so a
 * renamed attribute shows as `No plan yet`, which the test of these people notices.
 */
const PlanRow = z.object({
  id: z.string(),
  plan: z.enum(['free', 'plus']),
  plan_expires_at: z.optional(z.string()),
  stripe_customer_id: z.optional(z.string()),
  billing_customer_id: z.optional(z.string()),
});
type PlanRow = z.infer<typeof PlanRow>;

/** Every account, in the order of sign-up. */
export async function listAccounts(
  { cognito, dynamodb }: Pick<RunningServices, 'cognito' | 'dynamodb'>,
  stripe: ConnectedStripe,
): Promise<Account[]> {
  const tables = await Promise.all(dynamodb.names().map((name) => dynamodb.rows(name)));
  const rows = new Map(
    tables.flatMap((table) =>
      (table ?? []).flatMap((row) => {
        const { data } = PlanRow.safeParse(row);
        return data ? [[data.id, data] as const] : [];
      }),
    ),
  );
  // In Stripe's test mode, failed payments are not known here.
  const unpaid = new Set(
    stripe.kind === 'stand-in'
      ? stripe.service
          .listSubscriptions()
          .filter(({ status }) => status === 'past_due')
          .map(({ customer }) => customer)
      : [],
  );
  return cognito.listUsers().map((user) => {
    const row = rows.get(user.sub);
    return {
      ...user,
      state: stateOf(user, row, unpaid),
      endsAt: row?.plan_expires_at ?? null,
      customer: row?.billing_customer_id ?? row?.stripe_customer_id ?? null,
    };
  });
}

function stateOf(
  { status }: ListedUser,
  row: PlanRow | undefined,
  unpaid: ReadonlySet<string>,
): AccountState {
  if (status === 'UNCONFIRMED') return 'Unconfirmed';
  if (!row) return 'No plan yet';
  if (row.plan === 'free') return 'Free';
  const ends = row.plan_expires_at !== undefined;
  // A complimentary plan has no customer.
  if (row.stripe_customer_id === undefined) return ends ? 'Complimentary, ending' : 'Complimentary';
  if (unpaid.has(row.stripe_customer_id)) return 'Plus, past due';
  return ends ? 'Plus, ending' : 'Plus';
}
