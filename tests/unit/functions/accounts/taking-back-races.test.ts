import { describe, expect, test, vi } from 'vitest';
import { AccountWorld, type Step } from '../../../fixtures/fakes/account-world.ts';
import { everyInterleaving as interleave } from '../../../fixtures/fakes/every-interleaving.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const A = 'ada@example.com';
const B = 'thief@evil.example';
const C = 'thief@third.example';
const password = 'correct horse';

watchLog();
/** A fifth of the orders finds the faults that all find. */
const everyInterleaving = (...[prepare, check]: Parameters<typeof interleave>) =>
  interleave(prepare, check, 5);
const start = stopClock('2026-01-20T12:00:00Z');

type Actor = ReturnType<AccountWorld['actor']>;
type Answer = Awaited<ReturnType<Actor['undo']>>;

/** An account on Plus whose address a thief has changed, or wants to. */
async function stolen(...to: string[]): Promise<{ world: AccountWorld; session: string }> {
  vi.setSystemTime(start);
  const world = await AccountWorld.with(A, 20);
  const { signIn, changeEmail, confirmEmail } = world.actor();
  let address = A;
  let session = '';
  for (const next of to) {
    session = String(await signIn(address, password));
    await changeEmail(session, next);
    await confirmEmail(session, world.codeTo(next));
    // Our API refuses the sessions that began before the change, by the second.
    vi.setSystemTime(Date.now() + 1_000);
    address = next;
  }
  return { world, session: String(await signIn(address, password)) };
}

let world: AccountWorld;
let session: string;
const answers = new Map<string, Answer>();
/** A worker whose answer is kept under its name. */
const worker =
  (name: string, ask: (actor: Actor) => Promise<Answer>) =>
  async (step: Step): Promise<void> => {
    answers.set(name, await ask(world.actor(step)));
  };
const statusOf = (name: string) => answers.get(name)?.status;
const mails = (name: string) => world.parts.mail.sent.filter(({ email }) => email.name === name).length;
const subscription = () => [...world.parts.billing.subscriptions.values()][0];
const item = () => world.parts.addressChanges.items.get('ada');
const tokenTo = (address: string) => String(world.tokensTo(address)[0]);

const begin = async (...to: string[]): Promise<void> => {
  answers.clear();
  ({ world, session } = await stolen(...to));
};

/** The owner has everything. */
const expectRestored = (order: string) => {
  expect(world.ada, `order ${order}`).toMatchObject({
    email: A,
    emailVerified: true,
    enabled: true,
    identities: [],
  });
  expect(world.ada?.password, `order ${order}`).toBe('known to nobody');
  expect(world.isLive(session), `order ${order}`).toBe(false);
  expect(world.row, `order ${order}`).not.toHaveProperty('closing_until');
  expect(world.row, `order ${order}`).toMatchObject({ plan: 'plus' });
  expect(subscription(), `order ${order}`).toMatchObject({ status: 'active', endsAt: undefined });
  expect([...world.parts.addresses.owners], `order ${order}`).toContainEqual([A, 'ada']);
  for (const name of ['locked', 'deletion', 'leased_until']) {
    expect(item() ?? {}, `order ${order}`).not.toHaveProperty(name);
  }
};

/** Nothing of the deletion is left. */
const expectUntouched = (order: string) => {
  expect(world.ada?.enabled, `order ${order}`).toBe(true);
  expect(subscription(), `order ${order}`).toMatchObject({ status: 'active', endsAt: undefined });
  expect(world.row, `order ${order}`).not.toHaveProperty('closing_until');
  expect(item()?.deletion, `order ${order}`).toBeUndefined();
};

/** The owner's mailbox has the mail. */
const expectMailed = (order: string, name: string) =>
  expect(
    world.mailsTo(A).map((mail) => mail.name),
    `order ${order}`,
  ).toContain(name);

const expectGone = (order: string) => {
  expect(world.ada, `order ${order}`).toBeUndefined();
  expect(world.parts.planTable.rows.size, `order ${order}`).toBe(0);
  expect(world.parts.billing.customers.size, `order ${order}`).toBe(0);
  expect(subscription()?.status, `order ${order}`).toBe('canceled');
};

describe('an undo, in every order with', () => {
  test('a second press of the same link: one mail of each kind, and no error', async () => {
    const undo = worker('first', ({ undo: press }) => press(tokenTo(A)));
    const again = worker('second', ({ undo: press }) => press(tokenTo(A)));
    await everyInterleaving(
      async () => {
        await begin(B);
        return [undo, again];
      },
      async (order) => {
        const statuses = [statusOf('first'), statusOf('second')];
        expect(statuses, `order ${order}`).toContain(200);
        for (const status of statuses) expect([200, 409, 410], `order ${order}`).toContain(status);
        expectRestored(order);
        expect(world.parts.pool.resets, `order ${order}`).toEqual([A]);
        expect(mails('email-change-undone'), `order ${order}`).toBe(1);
      },
    );
  });

  test('the link of a later address: the earlier one wins', async () => {
    await everyInterleaving(
      async () => {
        await begin(B, C);
        return [
          worker('hers', ({ undo }) => undo(tokenTo(A))),
          worker('theirs', ({ undo }) => undo(tokenTo(B))),
        ];
      },
      async (order) => {
        expect([200, 409], `order ${order}`).toContain(statusOf('hers'));
        expect([200, 409, 410], `order ${order}`).toContain(statusOf('theirs'));
        if (statusOf('hers') === 409) await world.actor().undo(tokenTo(A));
        expectRestored(order);
      },
    );
  });

  test('a sign-in with a provider that has the new address: the provider opens nothing', async () => {
    let theirs: string | undefined;
    await everyInterleaving(
      async () => {
        await begin(B);
        theirs = undefined;
        return [
          worker('undo', ({ undo }) => undo(tokenTo(A))),
          async (step: Step) => {
            theirs = await world.actor(step).tokenWith('google_666', B);
          },
        ];
      },
      async (order) => {
        expect(statusOf('undo'), `order ${order}`).toBe(200);
        expect(world.isLive(theirs), `order ${order}`).toBe(false);
        expectRestored(order);
        const opened = await world.actor().tokenWith('google_666', B);
        expect(world.isLive(opened), `order ${order}`).toBe(false);
      },
    );
  });

  test('the thief’s deletion: the account stays, with its subscription', async () => {
    await everyInterleaving(
      async () => {
        await begin(B);
        return [
          worker('undo', ({ undo }) => undo(tokenTo(A))),
          worker('deletion', ({ deleteAccount }) => deleteAccount(session)),
        ];
      },
      async (order) => {
        expect([200, 401, 503], `order ${order}`).toContain(statusOf('deletion'));
        expect([200, 409], `order ${order}`).toContain(statusOf('undo'));
        if (statusOf('undo') === 409) {
          vi.setSystemTime(Date.now() + 60_000);
          await world.actor().undo(tokenTo(A));
        }
        expectRestored(order);
        expect(world.parts.pool.resets, `order ${order}`).toEqual([A]);
        expect(mails('account-deletion'), `order ${order}`).toBeLessThanOrEqual(2);
        await world.pass(8 * DAY);
        expect(world.ada?.enabled, `order ${order}`).toBe(true);
      },
    );
  });
});

describe('a deletion, in every order with', () => {
  const deletion = worker('deletion', ({ deleteAccount }) => deleteAccount(session));

  test('a confirmed change of address: it is done, or waits, or changes nothing', async () => {
    await everyInterleaving(
      async () => {
        await begin();
        await world.actor().changeEmail(session, B);
        const code = world.codeTo(B);
        return [deletion, worker('change', ({ confirmEmail }) => confirmEmail(session, code))];
      },
      async (order) => {
        expect([200, 401, 409], `order ${order}`).toContain(statusOf('deletion'));
        if (!world.ada) {
          expectGone(order);
          expectMailed(order, 'account-deleted');
        } else if (statusOf('deletion') === 200) {
          expectMailed(order, 'account-deletion');
          await world.actor().undo(String(world.tokensTo(A).at(-1)));
          expectRestored(order);
        } else expectUntouched(order);
      },
    );
  });

  test('a changed password, which ends every session: it is done, or changes nothing', async () => {
    await everyInterleaving(
      async () => {
        await begin();
        const change: (actor: Actor) => Promise<Answer> = ({ changePassword }) =>
          changePassword(session, password, 'battery staple');
        return [deletion, worker('change', change)];
      },
      async (order) => {
        expect([200, 401], `order ${order}`).toContain(statusOf('deletion'));
        if (statusOf('deletion') === 200) expectGone(order);
        else expectUntouched(order);
      },
    );
  });

  describe.each([
    ['at once', []],
    ['that waits', [B]],
  ])('%s', (_, to) => {
    /** Two checkouts are open in other tabs, of which the row knows one, and both are paid. */
    const openTwo = async (): Promise<readonly string[]> => {
      await begin(...to);
      const { billing } = world.parts;
      for (const { id } of billing.subscriptions.values()) billing.change(id, { status: 'canceled' });
      const email = world.ada?.email ?? '';
      await world.actor().checkOut(session, email);
      const forgotten = await billing.createSession({ customerId: 'cus_ada' });
      return [...billing.checkouts.keys(), forgotten?.id ?? ''];
    };
    const pay = (checkouts: () => readonly string[]) => async (step: Step) => {
      for (const id of new Set(checkouts())) {
        await step();
        world.parts.billing.pay(id);
      }
    };
    /** The payments from the deletion on. */
    const paid = () => world.parts.billing.payments.filter(({ at }) => at >= start.getTime() / 1000);

    test('a payment: the money goes back, and the subscription ends', async () => {
      let checkouts: readonly string[] = [];
      await everyInterleaving(
        async () => {
          checkouts = await openTwo();
          return [deletion, pay(() => checkouts)];
        },
        async (order) => {
          expect(statusOf('deletion'), `order ${order}`).toBe(200);
          // No webhook has arrived.
          await world.pass(2 * HOUR);
          expect(
            paid().every(({ refunded }) => refunded),
            `${order}: refunded`,
          ).toBe(true);
          for (const { status } of world.parts.billing.subscriptions.values()) {
            expect(status, `order ${order}`).toBe('canceled');
          }
          for (const id of checkouts) expect(world.parts.billing.pay(id), `order ${order}`).toBe(false);
          await world.pass(8 * DAY);
          expect(world.ada, `order ${order}`).toBeUndefined();
          expect(world.parts.billing.customers.size, `order ${order}`).toBe(0);
        },
      );
    });
  });
});
