import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { UsageError } from '../../usage-error.ts';
import { type RuledPlan, ruledPlan } from '../plan-rules.ts';

const text = z.string();
const nullable = z.nullable(text);
const plan = z.enum(['free', 'plus']);

/** The line of the log about a decision. Lines of other releases can lack the inputs. */
const Decision = z.object({
  event: z.literal('plan-decided'),
  user: text,
  to: plan,
  expiresAt: nullable,
  because: text,
  subscription: nullable,
  inputs: z.optional(
    z.object({
      at: text,
      row: z.object({ plan, expiresAt: nullable, subscription: nullable, hasCustomer: z.boolean() }),
      subscriptions: z.array(
        z.object({
          id: text,
          status: text,
          firstPayment: z.enum(['arrived', 'awaited', 'failed']),
          duplicate: nullable,
          stoppedTrying: z.boolean(),
          endsAt: z.nullable(z.number()),
          createdAt: z.number(),
        }),
      ),
      cancels: z.boolean(),
    }),
  ),
});
/** Lambda puts what a function logs under `message`. */
const Line = z.union([
  z.object({ message: Decision }),
  z.pipe(
    Decision,
    z.transform((message) => ({ message })),
  ),
]);

/**
 * Decides each decision of a log again, by the rules as they are written in `plan-rules.ts`. Says for each
 * whether both agree, and throws if any doesn't. Needs no stage.
 */
export async function verify(args: readonly string[], say: (line: string) => void): Promise<void> {
  const file = fileIn(args);
  const counts = { agree: 0, differ: 0, unknown: 0 };
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const decision = decisionIn(line);
    if (!decision) continue;
    const { user, to, inputs } = decision;
    if (!inputs) {
      counts.unknown += 1;
      continue;
    }
    const ruled = ruledPlan(inputs);
    const differences = differencesOf(decision, ruled);
    counts[differences.length === 0 ? 'agree' : 'differ'] += 1;
    const verdict = differences.length === 0 ? 'agrees ' : 'DIFFERS';
    say([`${verdict} ${inputs.at} ${user} ${inputs.row.plan} to ${to}`, ...differences].join('; '));
  }
  const unknown = counts.unknown === 0 ? '' : ` ${counts.unknown} lines lack what they were decided from.`;
  say(`${counts.agree} decisions agree with the rules, and ${counts.differ} differ.${unknown}`);
  if (counts.differ > 0) throw new Error('The product and its rules disagree.');
  if (counts.agree === 0) throw new Error(`${file} has no decision to verify.`);
}

function fileIn(args: readonly string[]): string {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    options: { from: { type: 'string' } },
  });
  if (typeof values.from !== 'string' || positionals.length > 0 || Object.keys(values).length > 1) {
    throw new UsageError('verify takes --from <file>, and nothing else.');
  }
  return values.from;
}

/** Undefined for a line about something else. */
function decisionIn(line: string): z.infer<typeof Decision> | undefined {
  if (!line.includes('plan-decided')) return undefined;
  try {
    return Line.parse(JSON.parse(line)).message;
  } catch (error) {
    throw new Error(`This line can't be read: ${line.slice(0, 200)}`, { cause: error });
  }
}

const differencesOf = (
  { to, expiresAt, because, subscription }: z.infer<typeof Decision>,
  ruled: RuledPlan,
): string[] =>
  Object.entries({ plan: to, expiresAt, because, subscription } satisfies Record<keyof RuledPlan, unknown>)
    .map(([name, decided]) => ({ name, decided, by: ruled[name as keyof RuledPlan] }))
    .filter(({ decided, by }) => decided !== by)
    .map(({ name, decided, by }) => `${name} is ${decided}, and by the rules ${by}`);
