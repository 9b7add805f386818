import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { type Offer, offers } from '../../../schemas/product/offers.ts';
import { isStageName, type StageName, stages } from '../../stages/stages.ts';
import { UsageError } from '../usage-error.ts';

export type Command =
  | { name: 'find'; email: string }
  | { name: 'resend'; email: string }
  | { name: 'why'; user: string }
  | { name: 'reconcile'; user: string }
  | { name: 'refund'; user: string; charge: string | undefined }
  | { name: 'grant'; user: string; until: Until }
  | { name: 'export'; user: string; file: string | undefined }
  | { name: 'end'; user: string; refund: boolean }
  | { name: 'delete'; user: string }
  | { name: 'waitlist export'; file: string | undefined }
  | { name: 'price notify' | 'price move'; offer: Offer };

/** The end of a complimentary plan: ISO 8601, the last millisecond of a day in UTC. Undefined without one. */
export type Until = string | undefined;

interface Request {
  command: Command;
  /** A deployed stage, or the local product. */
  at: StageName | 'local';
  /** The reason for the change. Undefined for a dry run. */
  reason: string | undefined;
}

export const usage = `npm run ops -- support <command> --stage <${Object.keys(stages).join('|')}>
npm run ops -- support <command> --local      the product that npm start runs

  find <e-mail>             show the accounts with this address: row, Stripe customer
  why <user>                explain the plan of a user
  reconcile <user>          recompute the plan, as a Stripe event would
  grant <user> <until>      grant Plus without payment until the end of a day in UTC (2030-01-31), or no-end
  refund <user>             refund the last charge, or the charge of --charge <id>
  end <user>                cancel the plan to the end of the paid time; --refund ends it at once, with a refund
  export <user>             write all data of the account as JSON; --to <file> names the file
  delete <user>             delete the account, as its user can
  resend <e-mail>           send the mail with the code that the account waits for
  waitlist export           write the waitlist as CSV; --to <file> names the file
  price notify <offer>      announce the offer's price to everyone who pays another price for it
  price move <offer>        move those whose notice has run out to the offer's price

<user> is a sub or an email address. A command that changes something only says what it would do.
To do it, add --yes and --reason "why".`;

const Address = z
  .string()
  .check(z.trim(), z.maxLength(254), z.email({ pattern: z.regexes.html5Email, error: 'an email address' }));
// Cognito's format for a `sub`, as in functions/domain/stripe-event-subject.ts.
const Sub = z.string().check(z.regex(/^[!#-[\]-~]{1,128}$/, 'a sub or an email address'));
const User = z.union([Address, Sub], { error: 'a sub or an email address' });
// An id at Stripe. Charges of some older payment methods begin with `py_`.
const Charge = z.string().check(z.regex(/^(?:ch|py)_\w{1,250}$/, 'the id of a charge, such as ch_123'));
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
  const { stage, local, yes, reason, to, charge, refund } = values;
  const command = commandOf(positionals, { to, charge, refund });
  if (local === (stage !== undefined)) throw new UsageError('Name a stage with --stage, or --local.');
  if (stage !== undefined && !isStageName(stage)) throw new UsageError(`There is no stage ${stage}.`);
  if (!yes) return { command, at: stage ?? 'local', reason: undefined };
  if (reason === undefined) throw new UsageError('--yes needs a --reason, which is kept.');
  // The user may have paid again between a dry run and the next command.
  if (command.name === 'refund' && command.charge === undefined) {
    throw new UsageError('--yes needs the --charge that the dry run names.');
  }
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
        charge: { type: 'string' },
        refund: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function commandOf(
  [name, first, second, ...rest]: readonly string[],
  { to, charge, refund }: { to: string | undefined; charge: string | undefined; refund: boolean },
): Command {
  const takes = (count: number): void => {
    const given = [first, second, ...rest].filter((each) => each !== undefined).length;
    if (given !== count) throw new UsageError(`${name} takes ${count}, and not ${given} values.`);
  };
  if (to !== undefined && name !== 'waitlist' && name !== 'export') {
    throw new UsageError('Only export and waitlist export take --to.');
  }
  if (refund && name !== 'end') throw new UsageError('Only end takes --refund.');
  if (charge !== undefined && name !== 'refund') throw new UsageError('Only refund takes --charge.');
  switch (name) {
    case 'find':
    case 'resend':
      takes(1);
      return { name, email: valueOf(Address, first) };
    case 'why':
    case 'reconcile':
    case 'delete':
      takes(1);
      return { name, user: valueOf(User, first) };
    case 'end':
      takes(1);
      return { name, user: valueOf(User, first), refund };
    case 'export':
      takes(1);
      return { name, user: valueOf(User, first), file: to };
    case 'refund':
      takes(1);
      return {
        name,
        user: valueOf(User, first),
        charge: charge === undefined ? undefined : valueOf(Charge, charge),
      };
    case 'grant':
      takes(2);
      return { name, user: valueOf(User, first), until: untilOf(second) };
    case 'waitlist':
      takes(1);
      if (first !== 'export') throw new UsageError('The waitlist has one command: waitlist export.');
      return { name: 'waitlist export', file: to };
    case 'price':
      takes(2);
      if (first !== 'notify' && first !== 'move')
        throw new UsageError('price is followed by notify or move.');
      return { name: `price ${first}`, offer: offerOf(second) };
    case undefined:
      throw new UsageError('Name a command.');
    default:
      throw new UsageError(`There is no command ${name}.`);
  }
}

function offerOf(key: string | undefined): Offer {
  const offer = offers.find((each) => each.key === key);
  const keys = offers.map((each) => each.key).join(', ');
  if (!offer) throw new UsageError(`There is no offer ${key}. The offers are: ${keys}.`);
  return offer;
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
