import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { StartFailure } from '../base/start-failure.ts';

/** The options of `npm start`. A new option or variable only needs an entry here to appear in the help. */
const options = {
  fresh: { type: 'boolean', default: false, does: 'start with no data' },
  preview: { type: 'boolean', default: false, does: 'build the site and serve it as it is deployed' },
  people: { type: 'boolean', default: false, does: 'make a user in each state, unless they exist' },
  inspect: { type: 'boolean', default: false, does: 'let a debugger attach to functions, on port 9229' },
  help: { type: 'boolean', default: false, does: 'print this and end' },
} as const;

interface Variable {
  does: string;
  /** The behavior without the option. */
  default: string;
  /** Another name, used if the first is not set. */
  alias?: string;
}

const variables = {
  SELFSAME_PORT: {
    does: 'port of the site; the next three are for Cognito, Stripe and the identity providers',
    default: '3000',
    alias: 'PORT',
  },
  SELFSAME_LOCAL_DATA: {
    does: 'folder for all data; begins at the folder of the repository',
    default: '.local',
    alias: 'LOCAL_DATA',
  },
  SELFSAME_PROVIDERS: {
    does: 'keys of the identity providers to offer, separated by commas',
    default: 'those that stages offer',
  },
  STRIPE_SECRET_KEY: {
    does: "sk_test_…: with the next, Stripe's test mode replaces the stand-in",
    default: 'the stand-in',
  },
  STRIPE_PUBLISHABLE_KEY: { does: 'pk_test_…: belongs to the secret key', default: 'the stand-in' },
  NODE_COMPILE_CACHE: {
    does: "folder for the functions' compiled code; several worlds can share it",
    default: 'in the folder for all data',
  },
} as const satisfies Record<string, Variable>;

type Values = { -readonly [Name in keyof typeof options]: boolean };
type VariableName = keyof typeof variables;

export interface StartOptions extends Values {
  port: number;
  /** An absolute path. */
  dataDir: string;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
// The world also uses the next three ports.
const HIGHEST_PORT = 65_535 - 3;

/** Options from the command line and from variables. Invalid options are a `StartFailure`. */
export function startOptions(
  parameters: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): StartOptions {
  refuseOptionsKeptByNpm(environment);
  const values = parsed(parameters);
  const { value: dataDir = '.local' } = valueOf('SELFSAME_LOCAL_DATA', environment);
  return { ...values, port: portFrom(environment), dataDir: path.resolve(root, dataDir) };
}

function parsed(parameters: readonly string[]): Values {
  const { values, tokens } = parseArgs({ args: [...parameters], options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option' && token.name in options && token.value === undefined) continue;
    const written = parameters[token.index] ?? '';
    throw new StartFailure(`${written} is not an option: npm start -- --help lists the options.`);
  }
  return values as Values;
}

/** `npm start --fresh`, without `--` between, is an option of npm, which passes it on as a variable. */
function refuseOptionsKeptByNpm(environment: Readonly<Record<string, string | undefined>>): void {
  const kept = Object.keys(options).find((name) => environment[`npm_config_${name}`] === 'true');
  if (kept !== undefined) throw new StartFailure(`npm used --${kept} itself: write npm start -- --${kept}.`);
}

/** The value of a variable, and the name that it was set by. Empty counts as not set. */
function valueOf(name: VariableName, environment: Readonly<Record<string, string | undefined>>) {
  const { alias }: Variable = variables[name];
  const given = environment[name] || alias === undefined ? name : alias;
  return { name: given, value: environment[given] || undefined };
}

function portFrom(environment: Readonly<Record<string, string | undefined>>): number {
  const { name, value = variables.SELFSAME_PORT.default } = valueOf('SELFSAME_PORT', environment);
  const port = Number(value);
  if (!/^\d+$/.test(value) || port < 1 || port > HIGHEST_PORT) {
    throw new StartFailure(
      `${name} is ${value}, and has to be a number from 1 to ${HIGHEST_PORT}, since the next three ports are used too.`,
    );
  }
  return port;
}

/** The text of `npm start -- --help`. */
export function help(): string {
  return [
    'npm start -- [options]',
    '',
    'Runs the whole product on this machine, without an AWS or Stripe account.',
    '',
    'Options:',
    ...aligned(Object.entries(options).map(([name, { does }]) => [`--${name}`, `${does} (default: no)`])),
    '',
    'Variables:',
    ...aligned(
      Object.entries(variables).map(([name, variable]: [string, Variable]) => [
        name,
        `${variable.does} (default: ${variable.default}${variable.alias ? `; also: ${variable.alias}` : ''})`,
      ]),
    ),
    '',
    'Variables of tests and benchmarks are in tests/README.md.',
  ].join('\n');
}

function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, text]) => `  ${name.padEnd(width)}${text}`);
}
