import type { Findings, Change } from './findings.ts';
import { type Command, parseCommandLine, usage } from './command-line.ts';
import { deleteAccount } from './commands/delete.ts';
import { exportData } from './commands/export.ts';
import { find } from './commands/find.ts';
import { grant } from './commands/grant.ts';
import { reconcile } from './commands/reconcile.ts';
import { why } from './commands/why.ts';
import { doOnRecord } from './on-record.ts';
import { targetOf } from './target.ts';
import { sentenceOf } from '../deploy/sentence-of.ts';
import { UsageError } from '../usage-error.ts';
import type { StageName } from '../../stages/stages.ts';
import type { Tools } from './tools.ts';

/**
 * Runs a command of `npm run ops -- support`. `variables`: this process's environment, which the AWS SDK
 * reads. Throws a sentence if something is refused or fails.
 */
export async function support(
  args: readonly string[],
  { say: print, variables }: { say: (line: string) => void; variables: Record<string, string | undefined> },
): Promise<void> {
  const say = (line: string): void => print(printable(line));
  const { command, at, reason } = parseCommandLine(args);
  const target = await targetOf(at, variables);
  say(`${target.title}. ${reason === undefined ? 'Nothing is changed.' : 'This is no dry run.'}`);
  const { openTools } = await import('./tools.ts');
  const tools = openTools(target);
  const { lines, change } = await answerOf(tools, command);
  for (const line of lines) say(line);
  if (!change) return;
  if (reason === undefined) {
    say(`To do it, ${howToDoIt(change, at)}`);
    return;
  }
  const { audit, now } = tools;
  for (const line of await doOnRecord({ audit, now, who: await target.who(), change, reason })) say(line);
}

const howToDoIt = ({ command }: Change, at: StageName | 'local'): string =>
  command === undefined
    ? 'repeat the command with --yes and --reason "why".'
    : `run npm run ops -- support ${command} ${at === 'local' ? '--local' : `--stage ${at}`} --yes --reason "why"`;

type Runner<C extends Command['name']> = (
  tools: Tools,
  command: Extract<Command, { name: C }>,
) => Promise<Findings>;
const runners: { [C in Command['name']]: Runner<C> } = {
  find,
  why,
  reconcile,
  grant,
  export: exportData,
  delete: deleteAccount,
};

const answerOf = <C extends Command['name']>(
  tools: Tools,
  command: Extract<Command, { name: C }>,
): Promise<Findings> => {
  const runner: Runner<C> = runners[command.name];
  return runner(tools, command);
};

/** Input of users and answers of servers could contain a terminal's control sequences. */
export const printable = (line: string): string => line.replaceAll(/\p{Cc}/gu, ' ');

export async function run(parameters: readonly string[]): Promise<void> {
  if (parameters.includes('--help')) {
    console.log(usage);
    return;
  }
  try {
    await support(parameters, { say: (line) => console.log(line), variables: process.env });
  } catch (error) {
    console.error(printable(sentenceOf(error)));
    if (error instanceof UsageError) console.error(`\n${usage}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
