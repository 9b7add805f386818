import * as z from 'zod/mini';
import type { RunningServices } from '../aws/services.ts';
import type { ConnectedStripe } from '../vendors/connect-stripe.ts';
import type { ListedUser } from '../aws/cognito/accounts.ts';

/** A user, with the data that the product has stored about the plan. */
export interface Account extends ListedUser {
  /** `Unconfirmed`, `No plan yet`, or the plan: `Plus, ending`, `Complimentary`. */
  state: string;
  /** ISO 8601. Null if nothing ends. */
  endsAt: string | null;
  /** The customer's id at Stripe. Null if there is none. */
  customer: string | null;
}

/** Attributes of the product's rows. A renamed one shows as `No plan yet`, which people.test notices. */
const PlanRow = z.object({
  id: z.string(),
  plan: z.string(),
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

function stateOf({ status }: ListedUser, row: PlanRow | undefined, unpaid: ReadonlySet<string>): string {
  if (status === 'UNCONFIRMED') return 'Unconfirmed';
  if (!row) return 'No plan yet';
  const { plan, plan_expires_at: end, stripe_customer_id: customer } = row;
  if (plan === 'free') return 'Free';
  // A complimentary plan has no customer.
  const name = customer === undefined ? 'Complimentary' : `${plan[0]?.toUpperCase()}${plan.slice(1)}`;
  if (customer !== undefined && unpaid.has(customer)) return `${name}, past due`;
  return end === undefined ? name : `${name}, ending`;
}
