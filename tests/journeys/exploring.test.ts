import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Explorer } from '../explore/explorer.ts';
import type { Move } from '../explore/moves.ts';
import { builtPages, expect, signInByStorage, signInOnPlus, test } from '../fixtures/browser/journey.ts';

const {
  // A failure in `npm test` comes from the change under test.
  SELFSAME_EXPLORE_SEED = 1,
  SELFSAME_EXPLORE_RUNS = 3,
  SELFSAME_EXPLORE_STEPS = 15,
  /** A file with the moves that a failure printed, which are made again. */
  SELFSAME_EXPLORE_MOVES: file,
} = process.env;

const starts = ['nobody', 'on Free', 'on Plus'] as const;
const chosen =
  file === undefined ? undefined : (JSON.parse(readFileSync(path.resolve(file), 'utf8')) as Move[]);

for (let run = 0; run < Number(SELFSAME_EXPLORE_RUNS); run += 1) {
  const seed = Number(SELFSAME_EXPLORE_SEED) + run;
  const start = starts[seed % starts.length] ?? 'nobody';
  const width = seed % 2 === 0 ? 390 : 1_440;

  test(`whatever a user does who begins as ${start}, every property holds (seed ${seed})`, async ({
    browser,
    account,
    world,
  }) => {
    test.setTimeout(60_000 + Number(SELFSAME_EXPLORE_STEPS) * 20_000);
    const context = await browser.newContext({
      baseURL: world.origin,
      viewport: { width, height: 800 },
      reducedMotion: 'reduce',
      locale: 'en-US',
    });
    const first = await context.newPage();
    if (start === 'on Free') await signInByStorage(first, account, world);
    if (start === 'on Plus') await signInOnPlus(first, account, world);
    await first.close();
    const explorer = new Explorer(context, world, account);
    await explorer.start(start === 'nobody' ? '/' : '/dashboard', start !== 'nobody');
    const paths = builtPages().filter((page) => !page.includes('/', 1));
    const violations = await explorer.explore(
      chosen ?? { seed, steps: Number(SELFSAME_EXPLORE_STEPS), paths },
    );
    console.log(`seed ${seed}: ${explorer.moves.length} steps, ${explorer.states.size} states`);
    if (violations.length > 0)
      console.log(JSON.stringify({ seed, violations, moves: explorer.moves.slice(-6) }));
    world.process.send({ webhooks: true });
    await context.close();
    const replay =
      violations.length > 0
        ? `SELFSAME_EXPLORE_SEED=${seed}, or these moves:\n${JSON.stringify(explorer.moves)}`
        : '';
    expect({ violations, replay }).toEqual({ violations: [], replay: '' });
  });
}
