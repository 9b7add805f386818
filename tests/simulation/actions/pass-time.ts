import { isPaid } from '../../../schemas/product/offers.ts';
import { Actor } from '../faults/actor.ts';
import type { Fault } from '../faults/fault.ts';
import type { Action, InstantAction } from '../history/action.ts';
import { beginStep, checkInvariants } from '../model/invariants.ts';
import { runningSubscriptions } from '../model/subscriber.ts';
import { HOUR, MAX_CATCH_UP_BREAK, MAX_WRONG_PLAN } from '../world/limits.ts';
import type { World } from '../world/world.ts';
import { noteFault } from './note-fault.ts';
import { performAction } from './perform-action.ts';

type TimeAction = Extract<Action, { type: 'time passes' | 'time passes to the renewal' }>;

// Enough for a later step to choose from.
const MAX_UNDELIVERED = 200;

/**
 * Moves the time on, with Stripe's renewals and the schedules. `fault` applies to the runs of the schedules
 * until one run fails.
 */
export async function passTime(world: World, milliseconds: number, fault: Fault | undefined): Promise<void> {
  const { stripe, schedules } = world;
  const target = world.now.getTime() + milliseconds;
  let pendingFault = fault;
  for (;;) {
    const now = world.now.getTime();
    const nextDueTime = stripe.nextDueTime() ?? Infinity;
    const moment = Math.min(nextDueTime, nextScheduleRun(world, now, target), world.refusalEnds);
    if (moment > target) break;
    moveClock(world, Math.max(moment, now));
    if (world.refusalEnds <= moment) {
      world.endRefusal();
      schedules.hasWork = true;
      continue;
    }
    if (nextDueTime <= moment) stripe.runDueTasks();
    else {
      world.undelivered = world.undelivered.slice(-MAX_UNDELIVERED);
      // After a failed run the next run has no fault.
      const failed = await runSchedules(world, schedules.lastRunFailed ? undefined : pendingFault);
      if (failed) pendingFault = undefined;
    }
  }
  moveClock(world, target);
}

/** Milliseconds. None to a renewal that is not to come. */
export function durationOf(world: World, action: TimeAction): number {
  if (action.type === 'time passes') return action.hours * HOUR;
  const { stripe, subscriber, seconds } = world;
  const renewals = runningSubscriptions(subscriber.model, seconds).flatMap(
    ([id]) => stripe.ledger.subscriptions.get(id)?.items.data.map((item) => item.current_period_end) ?? [],
  );
  if (renewals.length === 0) return 0;
  const moment = (Math.min(...renewals) + action.minutes * 60) * 1000;
  return Math.max(moment - world.now.getTime(), 0);
}

/** Loses every webhook, with no schedule, and then runs the schedules, which the next decisions rely on. */
export async function passInSilence(world: World, days: number): Promise<void> {
  // A catch-up misses what is older than Stripe's list of events, such as a second purchase, until it renews.
  const longest = world.offer.interval === 'year' ? MAX_CATCH_UP_BREAK : Infinity;
  const silence = Math.min(days * 24 * HOUR, longest);
  world.endRefusal();
  passTimeAtStripe(world, silence);
  world.undelivered = [];
  world.unseenFor += silence;
  world.schedules.hasWork = true;
  for (const account of world.accounts) account.lockedOutFor = account.unpaidFor = 0;
  await runSchedules(world, undefined);
  await performAction(world, { type: 'run the plan agreement' }, new Actor(), false);
}

/** Moves the time at Stripe only: no schedule runs and no webhook is delivered. */
export function passTimeAtStripe({ clock, stripe }: World, milliseconds: number): void {
  const target = clock.now().getTime() + milliseconds;
  for (;;) {
    const moment = stripe.nextDueTime();
    if (moment === undefined || moment > target) break;
    clock.moveTo(Math.max(moment, clock.now().getTime()));
    stripe.runDueTasks();
  }
  clock.moveTo(target);
}

/**
 * Epoch milliseconds. Skips the hourly runs that would find nothing, except for the last one of a stretch.
 */
function nextScheduleRun(
  { hourly, schedules, planTable, tasks }: World,
  now: number,
  target: number,
): number {
  if (!hourly) return Math.max(schedules.lastCatchUp + MAX_CATCH_UP_BREAK, now);
  const nextHour = (Math.floor(now / HOUR) + 1) * HOUR;
  if (schedules.hasWork) return nextHour;
  const expiries = [
    ...[...planTable.rows.values()].map((row) => row.plan_expires_at ?? '9999-12-31'),
    ...[...tasks.items.values()].filter(isFarOff).map(({ due }) => due),
  ].map((at) => Date.parse(at));
  const nextExpiry = Math.ceil(Math.min(...expiries) / HOUR) * HOUR;
  return Math.max(nextHour, Math.min(nextExpiry, Math.floor(target / HOUR) * HOUR));
}

/** Whether the task waits for days. */
const isFarOff = ({ work }: { work: string }): boolean => work === 'tries-end' || work === 'remind';

/** The tasks that aren't waiting for days. `until`: only those that are due by then. */
const nearTasks = ({ tasks }: World, until = '9999'): string[] =>
  [...tasks.items]
    .filter(([, task]) => !task.given_up && !isFarOff(task) && task.due <= until)
    .map(([id]) => id);

/** Returns whether the fault made a run fail. */
async function runSchedules(world: World, fault: Fault | undefined): Promise<boolean> {
  const { schedules } = world;
  const run = async (action: InstantAction, runFault: Fault | undefined): Promise<boolean> => {
    const actor = new Actor(runFault);
    const outcome = await performAction(world, action, actor, false);
    noteFault(world, actor);
    return outcome.kind !== 'answered';
  };
  const tried = new Set(nearTasks(world, world.now.toISOString()));
  schedules.hasWork = false;
  const catchUpFailed = await run({ type: 'run the event catch-up' }, fault);
  const sweepFailed = await run({ type: 'run the expiry sweep' }, catchUpFailed ? undefined : fault);
  const tasksFailed = await run(
    { type: 'run the billing tasks' },
    catchUpFailed || sweepFailed ? undefined : fault,
  );
  const failed = catchUpFailed || sweepFailed || tasksFailed;
  schedules.lastRunFailed = failed;
  // Most tasks are due hourly. One that has failed fails again until something changes.
  const isTaskLeft = nearTasks(world).some((id) => !tried.has(id) || schedules.hasWork);
  // A failed run is repeated within the hour.
  schedules.lastCatchUp = world.now.getTime() - (failed ? MAX_CATCH_UP_BREAK - HOUR : 0);
  schedules.hasWork = failed || isTaskLeft;
  checkInvariants(world);
  beginStep(world);
  return failed;
}

/** Moves the clock over a stretch without events, and adds up how long each account is on the wrong plan. */
function moveClock(world: World, to: number): void {
  const { violations } = world;
  const stretch = to - world.now.getTime();
  for (const account of world.accounts) {
    const expected = world.expectedPlanOf(account).plan;
    const actual = world.rowOf(account)?.plan ?? 'free';
    const { lockedOutFor, unpaidFor } = account;
    // While Stripe doesn't say, nobody can know. Two hours after it says again, the row is right.
    const isCounted = !world.isUndecidable;
    const isUnnoticed = [...account.model.subscriptions.values()].some(
      ({ noticedBy }) => noticedBy > world.seconds,
    );
    account.lockedOutFor = isCounted && expected === 'paid' && actual === 'free' ? lockedOutFor + stretch : 0;
    account.unpaidFor =
      isCounted && !isUnnoticed && expected === 'free' && isPaid(actual) ? unpaidFor + stretch : 0;
    if (!world.hourly) continue;
    if (account.lockedOutFor > MAX_WRONG_PLAN) {
      violations.add(`${account.id} has paid and is on Free for more than two hours.`);
    }
    if (account.unpaidFor > MAX_WRONG_PLAN) {
      violations.add(`${account.id} has not paid and is on Plus for more than two hours.`);
    }
  }
  world.clock.moveTo(to);
}
