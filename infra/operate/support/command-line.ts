import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { lowestPaidPlan, plans } from '../../../schemas/product/offers.ts';
import { isStageName, type StageName, stages } from '../../stages/stages.ts';
import { UsageError } from '../usage-error.ts';

export type Command =
  | { name: 'find'; email: string }
  | { name: 'why'; user: string }
  | { name: 'reconcile'; user: string }
  | { name: 'grant'; user: string; until: Until }
  | { name: 'export'; user: string; file: string | undefined }
  | { name: 'delete'; user: string };

/** The end of a complimentary plan: ISO 8601, the last millisecond of a day in UTC. Undefined without one. */
export type Until = string | undefined;

interface Request {
  command: Command;
  /** A deployed stage, or the local product. */
  at: StageName | 'local';
  /** The reason for the change. Undefined for a dry run. */
  reason: string | undefined;
}

/** The parameters of `npm run ops -- support`, as its help says them. */
export const usage = `<command> --stage <${Object.keys(stages).join('|')}>
npm run ops -- support <command> --local      the product that npm start runs

  find <e-mail>             show the accounts with this address: row, Stripe customer
  why <user>                explain the plan of a user
  reconcile <user>          recompute the plan, as a Stripe event would
  grant <user> <until>      grant ${plans[lowestPaidPlan].name} without payment until the end of a day in UTC (2030-01-31), or no-end
  export <user>             write all data of the account as JSON; --to <file> names the file
  delete <user>             delete the account, as its user can

<user> is a sub or an email address. A command that changes something only says what it would do.
To do it, add --yes and --reason "why".`;

const Address = z
  .string()
  .check(z.trim(), z.maxLength(254), z.email({ pattern: z.regexes.html5Email, error: 'an email address' }));
// Cognito's format for a `sub`, as in functions/domain/stripe-event-subject.ts.
const Sub = z.string().check(z.regex(/^[!#-[\]-~]{1,128}$/, 'a sub or an email address'));
const User = z.union([Address, Sub], { error: 'a sub or an email address' });
const DAY = /^\d{4}-\d\d-\d\d$/;
const LONGEST_REASON = 300;
const Reason = z.string().check(
  z.trim(),
  z.minLength(5, 'a reason of at least five letters'),
  z.maxLength(LONGEST_REASON, `a reason of at most ${LONGEST_REASON} letters`),
  z.regex(/^[^\p{Cc}]*$/u, 'a reason of one line'),
  // The audit line is kept longer than the account.
  z.regex(/^[^@]*$/, 'a reason without an email address'),
);

export function parseCommandLine(args: readonly string[]): Request {
  const { values, positionals } = parsed(args);
  const { stage, local, yes, reason, to } = values;
  const command = commandOf(positionals, to);
  if (local === (stage !== undefined)) throw new UsageError('Name a stage with --stage, or --local.');
  if (stage !== undefined && !isStageName(stage)) throw new UsageError(`There is no stage ${stage}.`);
  if (!yes) return { command, at: stage ?? 'local', reason: undefined };
  if (reason === undefined) throw new UsageError('--yes needs a --reason, which is kept.');
  return { command, at: stage ?? 'local', reason: valueOf(Reason, reason) };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        stage: { type: 'string' },
        local: { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
        reason: { type: 'string' },
        to: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function commandOf([name, first, second, ...rest]: readonly string[], to: string | undefined): Command {
  const takes = (count: number): void => {
    const given = [first, second, ...rest].filter((each) => each !== undefined).length;
    if (given !== count) throw new UsageError(`${name} takes ${count}, and not ${given} values.`);
  };
  if (to !== undefined && name !== 'export') throw new UsageError('Only export takes --to.');
  switch (name) {
    case 'find':
      takes(1);
      return { name, email: valueOf(Address, first) };
    case 'why':
    case 'reconcile':
    case 'delete':
      takes(1);
      return { name, user: valueOf(User, first) };
    case 'export':
      takes(1);
      return { name, user: valueOf(User, first), file: to };
    case 'grant':
      takes(2);
      return { name, user: valueOf(User, first), until: untilOf(second) };
    case undefined:
      throw new UsageError('Name a command.');
    default:
      throw new UsageError(`There is no command ${name}.`);
  }
}

function untilOf(text: string | undefined): Until {
  if (text === 'no-end') return undefined;
  const end = new Date(`${text}T23:59:59.999Z`);
  // A date such as 2030-02-30 would become another day.
  const isDay =
    DAY.test(text ?? '') && !Number.isNaN(end.getTime()) && end.toISOString().startsWith(`${text}`);
  if (!isDay) throw new UsageError(`${text} is not a day like 2030-01-31, nor no-end.`);
  return end.toISOString();
}

function valueOf<T>(schema: z.ZodMiniType<T>, text: string | undefined): T {
  const { data, error } = schema.safeParse(text);
  if (error) throw new UsageError(`This has to be ${error.issues[0]?.message ?? 'something else'}: ${text}`);
  return data;
}
