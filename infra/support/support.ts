import { randomUUID } from 'node:crypto';
import type { Answer, Change } from './answer.ts';
import { type Command, parseCommandLine, usage, UsageError } from './command-line.ts';
import { find } from './commands/find.ts';
import { grant } from './commands/grant.ts';
import { reconcile } from './commands/reconcile.ts';
import { refund } from './commands/refund.ts';
import { resend } from './commands/resend.ts';
import { waitlistExport } from './commands/waitlist-export.ts';
import { why } from './commands/why.ts';
import { type Place, placeOf } from './place.ts';
import type { Tools } from './tools.ts';

/**
 * Runs a command of `npm run support`. `variables`: the environment of this process, which the AWS SDK reads.
 * Throws a sentence if something is refused, or failed.
 */
export async function support(
  args: readonly string[],
  { say: print, variables }: { say: (line: string) => void; variables: Record<string, string | undefined> },
): Promise<void> {
  // What users have typed could hold a terminal's commands.
  const say = (line: string): void => print(line.replaceAll(/\p{Cc}/gu, ' '));
  const { command, at, reason } = parseCommandLine(args);
  const place = await placeOf(at, variables);
  say(`${place.title}. ${reason === undefined ? 'Nothing is changed.' : 'This is no dry run.'}`);
  const { openTools } = await import('./tools.ts');
  const tools = openTools(place);
  const { lines, change } = await answerOf(tools, command);
  for (const line of lines) say(line);
  if (!change) return;
  if (reason === undefined) {
    say('To do it, repeat the command with --yes and --reason "why".');
    return;
  }
  for (const line of await doOnRecord({ tools, place, change, reason })) say(line);
}

type Runner<C extends Command['name']> = (
  tools: Tools,
  command: Extract<Command, { name: C }>,
) => Promise<Answer>;
const runners: { [C in Command['name']]: Runner<C> } = {
  find,
  why,
  reconcile,
  grant,
  refund,
  resend,
  'waitlist export': waitlistExport,
};

const answerOf = <C extends Command['name']>(
  tools: Tools,
  command: Extract<Command, { name: C }>,
): Promise<Answer> => {
  const run: Runner<C> = runners[command.name];
  return run(tools, command);
};

/** Makes a change between two audit lines. Without the first line, nothing is changed. */
async function doOnRecord({
  tools: { audit, now },
  place,
  change,
  reason,
}: {
  tools: Tools;
  place: Place;
  change: Change;
  reason: string;
}): Promise<string[]> {
  const { action, id, detail, run } = change;
  const time = now.toISOString();
  const line = { id, time, run: randomUUID(), who: await place.who(), action, detail, reason };
  await audit.add({ ...line, state: 'begun' });
  let lines: string[];
  try {
    lines = await run();
  } catch (error) {
    await audit.add({ ...line, state: 'failed', failure: nameOf(error) });
    throw error;
  }
  await audit.add({ ...line, state: 'done' });
  return [...lines, `On record: ${action} by ${line.who} (${line.run}).`];
}

/** A message can hold an address, and the line is kept for longer than the account. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'Error');

if (import.meta.main) {
  try {
    await support(process.argv.slice(2), { say: (line) => console.log(line), variables: process.env });
  } catch (error) {
    console.error(error instanceof Error ? error.message || error.name : String(error));
    if (error instanceof UsageError) console.error(`\n${usage}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
