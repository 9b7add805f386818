import { describe, expect, test } from 'vitest';
import { handleStripeEvent } from '../../../../functions/plans/handle-stripe-event.ts';
import { reconcile } from '../../../../functions/plans/reconcile.ts';
import { NthCallHook } from '../../../fixtures/fakes/nth-call-hook.ts';
import {
  beginOnPlus,
  checkOut,
  deleteAda,
  type DeletionDependencies,
  dependencies,
  expectGone,
  expectNothingToBill,
  initialStates,
  now,
  payOpenCheckouts,
  readAdasPlan,
  setUp,
} from '../api/deletion-acts.ts';
import { eventSubject } from '../plans/event-subject.ts';

beginOnPlus();

/** The dependencies of a request of which a hook counts the calls. */
const hooked = (hook: NthCallHook): DeletionDependencies => {
  const parts = ['planTable', 'billing', 'sessionUser', 'pool', 'addressChanges', 'tasks', 'mail'] as const;
  const wrapped = parts.map((part) => [part, hook.wrap(dependencies[part])]);
  return { ...dependencies, ...(Object.fromEntries(wrapped) as Partial<DeletionDependencies>) };
};

describe('between any two calls of a deletion', () => {
  const interruptions = {
    'the payment of every open checkout': payOpenCheckouts,
    'the opening and payment of a checkout': async () => {
      await checkOut();
      await payOpenCheckouts();
    },
    'a GET /plan': () => readAdasPlan(),
    'an event from Stripe': async () => {
      const created = now.getTime() / 1000;
      const subject = eventSubject({ customerId: 'cus_1', userId: 'ada', created });
      await handleStripeEvent({ ...dependencies, userPool: dependencies.pool }, subject, now);
    },
    'a second deletion': () => deleteAda(),
  };

  describe.each(initialStates)('of %s', (initialState) => {
    test.each(Object.entries(interruptions))('%s leaves nothing', async (_, interrupt) => {
      for (let n = 1; ; n += 1) {
        await setUp(initialState);
        const hook = new NthCallHook(n, interrupt);
        const answer = await deleteAda(hooked(hook));
        // If the second deletion is faster, the first finds no account and answers 401.
        expect([200, 401]).toContain(answer.status);
        await interrupt();
        await expectGone(`with an interruption before call ${n}`);
        expect(dependencies.mail.sent, `mails with an interruption before call ${n}`).toHaveLength(1);
        if (!hook.hasRun) return;
      }
    });
  });
});

describe('a deletion between any two calls', () => {
  const requests = {
    'of opening a checkout': checkOut,
    'of a GET /plan': readAdasPlan,
    'of a reconciliation': (parts: DeletionDependencies) => reconcile(parts, 'ada', now, { trigger: 'test' }),
    'of another deletion': deleteAda,
  };

  describe.each(Object.entries(requests))('%s', (_, request) => {
    test.each(initialStates)('by %s leaves nothing to bill and no Plus', async (initialState) => {
      for (let n = 1; ; n += 1) {
        await setUp(initialState);
        const hook = new NthCallHook(n, () => deleteAda());
        await request(hooked(hook));
        if (!hook.hasRun) return;
        await expectNothingToBill(`after a deletion before call ${n}`);
        const row = dependencies.planTable.rows.get('ada');
        expect(row?.plan ?? 'free').toBe('free');
      }
    });
  });

  test.each(initialStates)(
    'a checkout by %s that pauses before any call and resumes during any call of the deletion sells nothing',
    async (initialState) => {
      for (let pause = 1; ; pause += 1) {
        let hasPaused = false;
        for (let resume = 1; ; resume += 1) {
          await setUp(initialState);
          let resumeCheckout = () => {};
          const resumed = new Promise<void>((resolve) => (resumeCheckout = resolve));
          const pausing = new NthCallHook(pause, () => resumed);
          const opening = checkOut(hooked(pausing));
          // All calls before the pause answer in the same turn of the event loop.
          await new Promise(setImmediate);
          hasPaused = pausing.hasRun;
          const deletion = new NthCallHook(resume, async () => {
            resumeCheckout();
            await opening;
            await payOpenCheckouts();
          });
          await deleteAda(hooked(deletion));
          resumeCheckout();
          // The checkout is opened before the deletion or refused. It is never an error.
          expect([200, 401, 409]).toContain((await opening).status);
          await expectNothingToBill(
            `after a checkout that paused at call ${pause} and resumed at call ${resume}`,
          );
          if (!hasPaused || !deletion.hasRun) break;
        }
        if (!hasPaused) return;
      }
    },
  );

  test('a row that GET /plan recreates after the deletion gets no customer', async () => {
    let n = 1;
    for (; ; n += 1) {
      await setUp('a user on Free');
      // During a checkout, the account is deleted and the row is recreated, as by a GET /plan that had
      // checked the account before.
      const hook = new NthCallHook(n, async () => {
        await deleteAda();
        await dependencies.planTable.open('ada', now);
      });
      await checkOut(hooked(hook));
      if (!hook.hasRun) break;
      await expectNothingToBill(`before call ${n}`);
    }
    expect(n).toBeGreaterThan(1);
  });
});
