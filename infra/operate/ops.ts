/** The operator's commands: `npm run ops -- <command> …`. `--help` lists them. */
import { parseComparison } from './review/refuse-losses.ts';
import { stages } from '../stages/stages.ts';
import { printable, sentenceOf } from './deploy/sentence-of.ts';
import { stageNameFrom } from './stage-name-from.ts';
import { parseCommandLine, usage } from './support/command-line.ts';
import { UsageError } from './usage-error.ts';

interface Command {
  /** The parameters after the command's name. */
  usage: string;
  does: string;
  /** Throws a `UsageError` if the parameters are wrong. */
  parse: (parameters: readonly string[]) => unknown;
  /** Loads the command and runs it. Sets the exit code if the command fails without throwing. */
  run: (parameters: readonly string[]) => Promise<unknown>;
}

const stage = `<${Object.keys(stages).join('|')}>`;

/** A stage, and behind it at most one parameter of this form. */
const stageAnd =
  (follows = /^\b$/) =>
  (parameters: readonly string[]): void => {
    stageNameFrom(parameters);
    const [, option = '', ...rest] = parameters;
    if (rest.length > 0 || (option !== '' && !follows.test(option))) throw new UsageError();
  };

export const commands: Readonly<Record<string, Command>> = {
  preflight: {
    usage: stage,
    parse: stageAnd(),
    does: 'check for anything that would make a deployment fail',
    run: async (parameters) => (await import('./deploy/preflight.ts')).run(parameters),
  },
  'roll-back': {
    usage: `${stage} [<tag or commit>]`,
    parse: stageAnd(/^[^-]/),
    does: 'deploy the release before the deployed one, or the one that is named',
    run: async (parameters) => (await import('./deploy/roll-back.ts')).run(parameters),
  },
  secrets: {
    usage: stage,
    parse: stageAnd(),
    does: "store the vendors' keys",
    run: async (parameters) => (await import('./deploy/secrets.ts')).run(parameters),
  },
  support: {
    usage,
    parse: parseCommandLine,
    does: "find accounts, explain and change a user's plan",
    run: async (parameters) => (await import('./support/support.ts')).run(parameters),
  },
  pause: {
    usage: `${stage} [--end]`,
    parse: stageAnd(/^--end$/),
    does: 'pause the functions that write plans and delete accounts on their own',
    run: async (parameters) => (await import('./deploy/pause.ts')).run(parameters),
  },
  'recover-plans': {
    usage: `${stage} [--write]`,
    parse: stageAnd(/^--write$/),
    does: 'update the rows of UserPlans from Stripe',
    run: async (parameters) => (await import('./recover/recover-plans.ts')).run(parameters),
  },
  losses: {
    usage: `<commit or branch>, or --deployed ${stage}`,
    parse: parseComparison,
    does: "refuse a loss of data by the working tree's templates",
    run: async (parameters) => (await import('./review/refuse-losses.ts')).run(parameters),
  },
};

/** The text of `npm run ops -- --help`. */
export const help = (): string =>
  [
    'npm run ops -- <command> …',
    '',
    ...Object.entries(commands).map(([name, { does }]) => `  ${name.padEnd(15)}${does}`),
    '',
    'npm run ops -- <command> --help says what follows it. Deployments: npm run deploy:<stage>.',
  ].join('\n');

/** Runs a command line and returns the exit code: 2 if the line is wrong, 1 if the command failed. */
export async function ops([name, ...parameters]: readonly string[]): Promise<number> {
  if (name === '--help') {
    console.log(help());
    return 0;
  }
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    console.error(name === undefined ? help() : `There is no command ${name}.\n\n${help()}`);
    return 2;
  }
  const follows = `npm run ops -- ${name} ${command.usage}`;
  if (parameters.includes('--help')) {
    console.log(`${follows}\n  ${command.does}`);
    return 0;
  }
  try {
    command.parse(parameters);
    await command.run(parameters);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (!(error instanceof UsageError)) {
      console.error(printable(sentenceOf(error)));
      return 1;
    }
    console.error(error.message ? `${printable(error.message)}\n${follows}` : follows);
    return 2;
  }
}

if (import.meta.main) process.exitCode = await ops(process.argv.slice(2));
