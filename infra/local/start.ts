import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { StartFailure } from './base/start-failure.ts';
import type { RunningWorld, WorldOptions } from './running-world.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
// The next ports are Cognito's, Stripe's and the identity providers'.
const HIGHEST_PORT = 65_535 - 3;
const say = (line: string) => console.log(line);

async function start(): Promise<RunningWorld> {
  if (Number(process.versions.node.split('.')[0]) < 24) {
    throw new StartFailure(
      `This is Node ${process.versions.node}, and the product runs on 24: use npm start, which brings its own.`,
    );
  }
  const { fresh, preview } = flags();
  const port = portOf(process.env['PORT']);
  // Loaded after the checks, since loading takes a second.
  const [{ startWorld }, { stripeKeysOf }] = await Promise.all([
    import('./world.ts'),
    import('./vendors/stripe-test-mode.ts'),
  ]);
  const stripe = stripeKeysOf(process.env);
  if (stripe) say("Using Stripe's own test mode.");
  return startWorld({
    port,
    dataDir: process.env['LOCAL_DATA'] ?? path.join(root, '.local'),
    site: preview ? await builtSite() : { kind: 'development' },
    fresh,
    stripe,
    say,
  });
}

async function builtSite(): Promise<WorldOptions['site']> {
  say('Building the site …');
  const { buildSite } = await import('./development-site.ts');
  return { kind: 'built', dist: await buildSite() };
}

function flags(): { fresh: boolean; preview: boolean } {
  try {
    const { values } = parseArgs({
      options: { fresh: { type: 'boolean', default: false }, preview: { type: 'boolean', default: false } },
    });
    return values;
  } catch {
    throw new StartFailure('There are two options: --fresh begins empty, --preview serves the built site.');
  }
}

function portOf(text = '3000'): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > HIGHEST_PORT) {
    throw new StartFailure(`PORT is ${text}, and has to be a number from 1 to ${HIGHEST_PORT}.`);
  }
  return port;
}

let world: RunningWorld | undefined;
let stopping = false;
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 0],
  ['SIGHUP', 0],
] as const) {
  process.on(signal, () => {
    end(code);
  });
}
// A killed parent (npm, a test) sends no signal; this process gets another parent then.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) end(0);
}, 500).unref();

/** While the world starts, and on a second signal, ends at once: what runs so far ends with this process. */
function end(code: number): void {
  if (!world || stopping) process.exit(code);
  stopping = true;
  void world.stop().finally(() => process.exit(code));
}

try {
  world = await start();
  say(`\n  ${world.origin}\n  ${world.origin}/__local\n`);
} catch (error) {
  console.error(error instanceof StartFailure ? error.message : error);
  process.exit(1);
}
