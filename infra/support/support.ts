import type { Answer, Change } from './answer.ts';
import { type Command, parseCommandLine, usage, UsageError } from './command-line.ts';
import { find } from './commands/find.ts';
import { grant } from './commands/grant.ts';
import { reconcile } from './commands/reconcile.ts';
import { refund } from './commands/refund.ts';
import { resend } from './commands/resend.ts';
import { waitlistExport } from './commands/waitlist-export.ts';
import { why } from './commands/why.ts';
import { doOnRecord } from './on-record.ts';
import { placeOf } from './place.ts';
import { sentenceOf } from '../deploy/sentence-of.ts';
import type { StageName } from '../stages.ts';
import type { Tools } from './tools.ts';

/**
 * Runs a command of `npm run support`. `variables`: the environment of this process, which the AWS SDK reads.
 * Throws a sentence if something is refused, or failed.
 */
export async function support(
  args: readonly string[],
  { say: print, variables }: { say: (line: string) => void; variables: Record<string, string | undefined> },
): Promise<void> {
  const say = (line: string): void => print(printable(line));
  const { command, at, reason } = parseCommandLine(args);
  const place = await placeOf(at, variables);
  say(`${place.title}. ${reason === undefined ? 'Nothing is changed.' : 'This is no dry run.'}`);
  const { openTools } = await import('./tools.ts');
  const tools = openTools(place);
  const { lines, change } = await answerOf(tools, command);
  for (const line of lines) say(line);
  if (!change) return;
  if (reason === undefined) {
    say(`To do it, ${howToDoIt(change, at)}`);
    return;
  }
  const { audit, now } = tools;
  for (const line of await doOnRecord({ audit, now, who: await place.who(), change, reason })) say(line);
}

const howToDoIt = ({ command }: Change, at: StageName | 'local'): string =>
  command === undefined
    ? 'repeat the command with --yes and --reason "why".'
    : `run npm run support -- ${command} ${at === 'local' ? '--local' : `--stage ${at}`} --yes --reason "why"`;

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

/** What users have typed, and what servers answer, could hold a terminal's commands. */
export const printable = (line: string): string => line.replaceAll(/\p{Cc}/gu, ' ');

if (import.meta.main) {
  try {
    await support(process.argv.slice(2), { say: (line) => console.log(line), variables: process.env });
  } catch (error) {
    console.error(printable(sentenceOf(error)));
    if (error instanceof UsageError) console.error(`\n${usage}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
