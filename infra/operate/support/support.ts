import type { Findings } from './findings.ts';
import { type Command, parseCommandLine } from './command-line.ts';
import { deleteAccount } from './commands/delete.ts';
import { exportData } from './commands/export.ts';
import { find } from './commands/find.ts';
import { grant } from './commands/grant.ts';
import { reconcile } from './commands/reconcile.ts';
import { why } from './commands/why.ts';
import { doOnRecord } from './on-record.ts';
import { targetOf } from './target.ts';
import { printable } from '../deploy/sentence-of.ts';
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
    say('To do it, repeat the command with --yes and --reason "why".');
    return;
  }
  const { audit, now } = tools;
  for (const line of await doOnRecord({ audit, now, who: await target.who(), change, reason })) say(line);
}

function answerOf(tools: Tools, command: Command): Promise<Findings> {
  switch (command.name) {
    case 'find':
      return find(tools, command);
    case 'why':
      return why(tools, command);
    case 'reconcile':
      return reconcile(tools, command);
    case 'grant':
      return grant(tools, command);
    case 'export':
      return exportData(tools, command);
    case 'delete':
      break;
  }
  return deleteAccount(tools, command);
}

export const run = (parameters: readonly string[]): Promise<void> =>
  support(parameters, { say: (line) => console.log(line), variables: process.env });
