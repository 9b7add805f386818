import { spawnSync } from 'node:child_process';
import { flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { keepCompiledCode } from './base/compile-cache.ts';
import { openDebugger } from './base/debugger.ts';
import { isForPerson, sentenceOf, StartFailure } from './base/start-failure.ts';
import { help, type StartOptions, startOptions } from './world/options.ts';
import { seedPeople } from './world/seed-people.ts';
import type { RunningWorld, WorldOptions } from './world/running-world.ts';

const say = (line: string) => console.log(line);

async function start({ fresh, preview, inspect, port, dataDir }: StartOptions): Promise<RunningWorld> {
  if (Number(process.versions.node.split('.')[0]) < 24) {
    throw new StartFailure(
      `This is Node ${process.versions.node}, and the product runs on 24: use npm start, which installs its own.`,
    );
  }
  if (inspect) openDebugger();
  keepCompiledCode();
  // Loaded after the checks, because loading takes a second.
  const [{ startWorld }, { stripeKeysOf }] = await Promise.all([
    import('./world/world.ts'),
    import('./vendors/stripe-test-mode.ts'),
  ]);
  const stripe = stripeKeysOf(process.env);
  if (stripe) say("Using Stripe's own test mode.");
  return startWorld({
    port,
    dataDir,
    site: preview ? await builtSite() : { kind: 'development' },
    fresh,
    stripe,
    say,
  });
}

async function builtSite(): Promise<WorldOptions['site']> {
  // A small installation lacks the packages that draw images.
  const installed = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('install.mjs', import.meta.url)), '--all'],
    { stdio: 'inherit' },
  );
  if (installed.status !== 0) throw new StartFailure('The site was not built, since packages are missing.');
  say('Building the site …');
  const { buildSite } = await import('./site/development-site.ts');
  return { kind: 'built', dist: await buildSite() };
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
// A killed parent (npm, a test) sends no signal, but this process then gets another parent.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) end(0);
}, 500).unref();

// Vite's optimizer runs on its own. A running world continues without it: the disk may have space again
// later.
process.on('unhandledRejection', (error) => {
  if (!isForPerson(error)) throw error;
  console.error(sentenceOf(error));
  if (!world) end(1);
});

/** Ends at once while the world starts, and on a second signal. Everything that runs then ends too. */
function end(code: number): void {
  if (!world || stopping) process.exit(code);
  stopping = true;
  void world.stop().finally(() => process.exit(code));
}

try {
  const options = startOptions(process.argv.slice(2), process.env);
  if (options.help) {
    say(help());
    process.exit(0);
  }
  world = await start(options);
  // Seeding prints its own failures. The world is useful even without some of its users.
  if (options.people) await seedPeople(world.origin);
  say(`\n  ${world.origin}\n  ${world.origin}/__local\n`);
  // A killed process would not write the cache.
  flushCompileCache();
} catch (error) {
  console.error(isForPerson(error) ? sentenceOf(error) : error);
  process.exit(1);
}
