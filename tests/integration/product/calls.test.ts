import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as does from './call-requests.ts';
import { type FunctionName, type Row, table } from './call-table.ts';

/**
 * A row that needs all that the first call of an execution environment asks besides, and the environment
 * keeps. By default the first row.
 */
const firstCalls: Partial<Record<FunctionName, string>> = {
  plan: 'expired',
  'session-status': 'paid, unheard of',
  billing: 'Plus',
  'confirm-email': 'Plus, and on the waitlist',
  export: 'Plus',
  'delete-account': 'Plus',
  // Two secrets: our client at GitHub, and Cognito's at our issuer.
  'github-oidc': 'token',
  'stripe-webhook': 'invoice.paid',
  'schedules/expiry-sweep': 'one plan has expired',
  'schedules/event-catch-up': 'one customer has paid',
  'schedules/plan-agreement': 'one has ended, and the row says Plus',
  'schedules/unconfirmed-sweep': 'one is due',
  'schedules/billing-tasks': 'a user is missing for the second time',
  'schedules/idle-accounts': 'to be deleted, Plus before',
  'triggers/post-confirmation': 'a password was reset',
  'triggers/pre-sign-up': 'a provider, linked to an account',
  'events/undeliverable-mail': 'a warning',
};

beforeAll(does.startProduct);
afterAll(() => does.product.stop());
afterEach(() => does.product.clear());
beforeEach(() => {
  for (const level of ['info', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {});
  // The adapters' time limits: on a busy machine, calls that are held could reach them.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
});

/** `waves`: a list for each wave, of calls that are made at once. */
const record = async ([given, act]: Row, { cold = false } = {}) => {
  const user = await given();
  if (cold) does.product.endEnvironments();
  return does.product.recorder.record(() => act(user));
};

/** The contents of `calls.txt`: by function, the states in which it makes the same calls. */
const seen = new Map<string, Map<string, string[]>>();
const see = (name: string, state: string, calls: string[]): void => {
  const repeats: { call: string; times: number }[] = [];
  for (const call of calls) {
    const last = repeats.at(-1);
    if (last?.call === call) last.times += 1;
    else repeats.push({ call, times: 1 });
  }
  const lines = repeats.map(({ call, times }) => `    ${times > 1 ? `${times} × ` : ''}${call}\n`);
  const text = lines.join('') || '    no call\n';
  const states = seen.get(name) ?? new Map<string, string[]>();
  seen.set(name, states.set(text, [...(states.get(text) ?? []), `  ${state}\n`]));
};

describe.each(Object.entries(table))('%s', (name, rows) => {
  const warm = new Map<string, string[]>();
  // An environment imports a client, and reads what it keeps, when it makes a call for the first time.
  const made = new Set<string>();

  test.each(Object.keys(rows))('%s', async (state) => {
    const row = rows[state]!;
    let { result, waves } = await record(row);
    const isWarm = waves.flat().every((call) => made.has(call));
    for (const call of waves.flat()) made.add(call);
    if (!isWarm) ({ result, waves } = await record(row));
    expect(result).toBe(row[2]);
    warm.set(state, waves.flat());
    see(
      name,
      `${state}: ${row[2]}`,
      waves.map((wave) => wave.join(' + ')),
    );
  });

  test('the first call of an execution environment', async () => {
    const state = firstCalls[name as FunctionName] ?? String(Object.keys(rows)[0]);
    const row = rows[state];
    const rest = warm.get(state);
    if (!row || !rest) throw new Error(`The state "${state}" of ${name} has not run.`);
    const { result, waves } = await record(row, { cold: true });
    expect(result).toBe(row[2]);
    const besides = waves.flat().toSorted();
    for (const call of rest) {
      expect(besides).toContain(call);
      besides.splice(besides.indexOf(call), 1);
    }
    see(
      name,
      `first call of an environment, ${state}`,
      besides.map((call) => `+ ${call}`),
    );
  });
});

test('the calls are those of calls.txt', async () => {
  // A state that failed would be missing.
  const states = [...seen.values()].flatMap((groups) => [...groups.values()].flat());
  expect(states).toHaveLength(
    Object.values(table).reduce((sum, rows) => sum + Object.keys(rows).length + 1, 0),
  );
  const text = [...seen].map(([name, groups]) => {
    const parts = [...groups].map(([calls, headings]) => headings.join('') + calls);
    return `${name}\n${parts.join('')}`;
  });
  await expect(text.join('\n')).toMatchFileSnapshot('calls.txt');
});
