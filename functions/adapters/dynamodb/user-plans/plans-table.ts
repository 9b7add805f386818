import { UserPlan } from '../../../../schemas/rows/plan.ts';
import { legalVersions } from '../../../../schemas/product/legal-versions.ts';
import { isClosing } from '../../../domain/closing.ts';
import { decidedRow } from '../../../domain/decided-row.ts';
import { inUse } from '../../../domain/idle.ts';
import { everybodyIn } from './account-moments.ts';
import type { PlanFields } from '../../../domain/plan.ts';
import { planContradictions } from '../../../domain/plan-contradictions.ts';
import type { KnownAccount } from '../../../domain/profile.ts';
import { log } from '../../../runtime/log.ts';
import { ex, type Expression, idsIn, put, read, remove, update, updated } from '../client.ts';

type KnownFacts = KnownAccount & { signedInAt?: Date };

/** Logs the rules that a row breaks, and returns the row. An alarm counts the lines. */
function checked(row: UserPlan): UserPlan {
  for (const rule of planContradictions(row)) log.error('plan-contradiction', { user: row.id, rule });
  return row;
}

async function readRow(table: string, id: string): Promise<UserPlan | undefined> {
  const row = await read(table, { id }, UserPlan);
  return row && checked(row);
}

/** The UserPlans table. Each method is one request unless its comment says otherwise. */
export const plansTable = (table: string) => ({
  ...customersIn(table),
  ...closingIn(table),

  read: (id: string) => readRow(table, id),
  everybody: everybodyIn(table),

  /** Creates a Free row, or resolves with the existing row (two requests). */
  async open(id: string, now: Date, known: KnownFacts = {}) {
    const row = newRow(id, now, known);
    const isNew = await put(table, row, ex`attribute_not_exists(id)`);
    return isNew ? row : ((await readRow(table, id)) ?? row);
  },

  /**
   * Writes the account's proved address, in lower case, over `replacing` or over none. Mail arrives there.
   * Resolves with false and changes nothing if the row is missing or has another address.
   */
  writeAddress: (id: string, address: string, replacing = address) =>
    update(
      table,
      { id },
      ex`SET address = ${address} REMOVE mail_bounced_at`,
      ex`attribute_exists(id) AND (attribute_not_exists(address) OR address IN (${address}, ${replacing}))`,
    ),

  /**
   * Writes a decision over the row that it was made from, with `version` as an optimistic lock. Resolves with
   * undefined and changes nothing if another decision was written since, or if the row is gone.
   */
  async decide(row: UserPlan, decision: PlanFields, now: Date) {
    const decided = decidedRow(row, decision, now);
    const condition = ex`attribute_exists(id) AND (${hasVersion(row.version)})`;
    const written = await update(table, { id: row.id }, assigning(decided), condition);
    return written ? checked(UserPlan.parse({ ...row, ...decided })) : undefined;
  },

  /** Records a sign-in, unless a later one is. The idle year starts at `now`: a sign-in can be weeks old. */
  async recordSignIn(id: string, signedInAt: Date, now: Date) {
    const { idle_due_at, idle_shard } = inUse(id, now);
    const at = signedInAt.toISOString();
    await update(
      table,
      { id },
      ex`SET last_sign_in_at = ${at}, idle_due_at = ${idle_due_at}, idle_shard = ${idle_shard} REMOVE idle_warnings, idle_returned_mail`,
      ex`attribute_exists(id) AND (attribute_not_exists(last_sign_in_at) OR last_sign_in_at < ${at})`,
    );
  },

  /** Ids of the rows of one shard whose plan expired at or before `now`, earliest first, page by page. */
  async *expired(shard: number, now: Date): AsyncIterable<string[]> {
    const key = ex`expiry_shard = ${shard} AND plan_expires_at <= ${now.toISOString()}`;
    yield* idsIn(table, 'by_expiry', key);
  },
});
export type PlansTable = ReturnType<typeof plansTable>;

const customersIn = (table: string) => ({
  /**
   * Stores the user's Stripe customer if the row still has `replacing`. Resolves with the customer that is
   * stored now, which may be an earlier one; undefined if the account is gone or being deleted.
   */
  async setCustomerIfUnchanged(id: string, customerId: string, replacing: string | undefined, now: Date) {
    const isAdopted = await adopt(table, id, ['billing_customer_id', customerId], replacing, now);
    if (isAdopted) return customerId;
    const row = await readRow(table, id);
    return row && !isClosing(row, now) ? row.billing_customer_id : undefined;
  },

  /** Removes this customer from the row, if the row has it. */
  async clearCustomer(id: string, customerId: string) {
    await update(table, { id }, ex`REMOVE billing_customer_id`, ex`billing_customer_id = ${customerId}`);
  },

  /** Stores the open Checkout Session if the row still has `replacing`, and isn't gone or being deleted. */
  adoptCheckout: (id: string, sessionId: string, replacing: string | undefined, now: Date) =>
    adopt(table, id, ['checkout_session_id', sessionId], replacing, now),
});

/** The attributes that a cleared row keeps: those that find it, lock it, and keep its sessions ended. */
const kept = new Set<string>([
  'id',
  'plan',
  'version',
  'closing_until',
  'idle_due_at',
  'idle_shard',
  'idle_warnings',
  'ended_sessions',
  'valid_since',
] satisfies (keyof UserPlan)[]);
const personal = Object.keys(UserPlan.shape).flatMap((name) => (kept.has(name) ? [] : [`#${name}`]));

const closingIn = (table: string) => ({
  /**
   * Closes the row to new customers and checkouts until `until` (ISO 8601), or creates it closed. The closed
   * row names the user's only customer and checkout.
   */
  async close(id: string, until: string) {
    const { idle_due_at, idle_shard } = inUse(id, new Date(until));
    const asNew = ex`#plan = if_not_exists(#plan, ${'free'}), idle_due_at = if_not_exists(idle_due_at, ${idle_due_at}), idle_shard = if_not_exists(idle_shard, ${idle_shard})`;
    const change = ex`SET closing_until = ${until}, ${asNew} ADD #version ${1}`;
    return UserPlan.parse(await updated(table, { id }, change));
  },

  /**
   * Removes all about the user from a closed row, but for what finds idle accounts, and so a leftover row.
   * With `idleDueAt`, false, and nothing changes, if the user has signed in since.
   */
  clear(id: string, idleDueAt?: string) {
    // A higher version, so that a decision made from the earlier row loses.
    const change = ex`SET #plan = ${'free'} REMOVE ${raw(personal.join(', '))} ADD #version ${1}`;
    const isIdle = idleDueAt === undefined ? ex`` : ex` AND idle_due_at = ${idleDueAt}`;
    return update(table, { id }, change, ex`attribute_exists(id)${isIdle}`);
  },

  remove: async (id: string) => void (await remove(table, { id })),
});

function newRow(id: string, now: Date, { signedInAt, address, made_by }: KnownFacts): UserPlan {
  const at = now.toISOString();
  return {
    id,
    plan: 'free',
    created_at: at,
    updated_at: at,
    ...(signedInAt && { last_sign_in_at: signedInAt.toISOString() }),
    ...(address !== undefined && { address }),
    ...(made_by && { made_by }),
    // Making an account accepts the texts in force.
    accepted_terms: legalVersions.terms.version,
    accepted_privacy: legalVersions.privacy.version,
    version: 1,
    ...inUse(id, now),
  };
}

/** The condition that no decision was written since the row was read. */
export const hasVersion = (version: number): Expression =>
  ex`#version = ${version} OR (attribute_not_exists(#version) AND ${version} = ${0})`;

const raw = (text: string): Expression => ex([text]);

/** An update that sets the defined fields and removes the undefined ones. */
function assigning(fields: Record<string, unknown>): Expression {
  const names = Object.keys(fields);
  const set = names.filter((name) => fields[name] !== undefined);
  const removed = names.filter((name) => fields[name] === undefined).map((name) => `#${name}`);
  // `SET #a = ${a}, #b = ${b} REMOVE #c`
  const texts = set.map((name, index) => `${index === 0 ? 'SET ' : ', '}#${name} = `);
  const end = removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : '';
  return ex([...texts, end], ...set.map((name) => fields[name]));
}

/** Stores a customer or checkout over the value that was read, unless the row is closing. */
function adopt(
  table: string,
  id: string,
  [attribute, adopted]: ['billing_customer_id' | 'checkout_session_id', string],
  replacing: string | undefined,
  now: Date,
): Promise<boolean> {
  const name = raw(attribute);
  const still = replacing === undefined ? ex`attribute_not_exists(${name})` : ex`${name} = ${replacing}`;
  const isOpen = ex`attribute_not_exists(closing_until) OR closing_until <= ${now.toISOString()}`;
  // The adopted value itself passes too, because the SDK repeats the request if an answer is lost.
  const isUnchanged = ex`${still} OR ${name} = ${adopted}`;
  const condition = ex`attribute_exists(id) AND (${isUnchanged}) AND (${isOpen})`;
  return update(table, { id }, ex`SET ${name} = ${adopted}`, condition);
}
