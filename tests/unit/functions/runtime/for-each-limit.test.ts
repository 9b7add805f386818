import { expect, test } from 'vitest';
import { forEachLimit } from '../../../../functions/runtime/for-each-limit.ts';

/** Work that ends when the test says so, and counts what runs at once. */
class Gate {
  running = 0;
  mostAtOnce = 0;
  readonly #open: (() => void)[] = [];

  readonly work = async (): Promise<void> => {
    this.running += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.running);
    await new Promise<void>((resolve) => this.#open.push(resolve));
    this.running -= 1;
  };

  async openAll(): Promise<void> {
    while (this.#open.length > 0) {
      this.#open.splice(0).forEach((open) => open());
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

test('as many items as allowed are worked on at once, and no more', async () => {
  const gate = new Gate();
  const run = forEachLimit([1, 2, 3, 4, 5], { limit: 3, work: gate.work });
  await tick();
  expect(gate.running).toBe(3);
  await gate.openAll();
  expect(await run).toEqual({ done: 5, failures: new Map(), outOfTime: false });
  expect(gate.mostAtOnce).toBe(3);
});

test('items of an asynchronous source are taken only when a worker is free', async () => {
  let given = 0;
  async function* source() {
    for (; given < 5;) yield (given += 1);
  }
  const gate = new Gate();
  const run = forEachLimit(source(), { limit: 2, work: gate.work });
  await tick();
  expect(given).toBe(2);
  await gate.openAll();
  expect((await run).done).toBe(5);
});

test('an item that fails is tried once more, after all others', async () => {
  const tried: string[] = [];
  const outcome = await forEachLimit(['a', 'b', 'c'], {
    limit: 1,
    work: async (item) => {
      tried.push(item);
      if (item === 'a' && tried.length === 1) throw new Error('hung up');
    },
  });
  expect(tried).toEqual(['a', 'b', 'c', 'a']);
  expect(outcome).toEqual({ done: 3, failures: new Map(), outOfTime: false });
});

test('an item that fails twice is reported with its last error, and not tried a third time', async () => {
  let tries = 0;
  const { done, failures } = await forEachLimit(['a', 'b'], {
    limit: 2,
    work: async (item) => {
      if (item !== 'a') return;
      tries += 1;
      throw new Error(`failure ${tries}`);
    },
  });
  expect(done).toBe(1);
  expect(failures).toEqual(new Map([['a', new Error('failure 2')]]));
  expect(tries).toBe(2);
});

test('once time is over nothing more is begun, not even what failed before', async () => {
  const tried: number[] = [];
  const outcome = await forEachLimit([1, 2, 3, 4], {
    limit: 1,
    work: async (item) => {
      tried.push(item);
      if (item === 1) throw new Error('hung up');
    },
    isOver: () => tried.length >= 2,
  });
  expect(tried).toEqual([1, 2]);
  expect(outcome).toEqual({ done: 1, failures: new Map([[1, new Error('hung up')]]), outOfTime: true });
});

test('time that returns after its end starts nothing either', async () => {
  const answers = [false, true, false];
  const { done, outOfTime } = await forEachLimit([1, 2, 3], {
    limit: 1,
    work: async () => {},
    isOver: () => answers.shift() ?? false,
  });
  expect({ done, outOfTime }).toEqual({ done: 1, outOfTime: true });
});

test('a run whose last item is done is not unfinished, though time is over right after it', async () => {
  let asked = 0;
  const { done, outOfTime } = await forEachLimit(['a'], {
    limit: 1,
    work: async () => {},
    // Asked before the item, and before the worker finds that none is left.
    isOver: () => (asked += 1) > 2,
  });
  expect({ done, outOfTime }).toEqual({ done: 1, outOfTime: false });
});
