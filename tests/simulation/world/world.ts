import { mainOffer, type Offer, type OfferKey, offers } from '../../../schemas/product/offers.ts';
import type { Stripe } from 'stripe';
import type { Notice } from '../../../functions/emails/layout.ts';
import { NOT_TRIED } from '../../../functions/tasks/enqueue-task.ts';
import type { BillingTask } from '../../../schemas/rows/billing-task.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import { MemoryEventCursor } from '../../fixtures/fakes/memory-event-cursor.ts';
import { MemoryMail } from '../../fixtures/fakes/memory-mail.ts';
import { MemoryPool } from '../../fixtures/fakes/memory-pool.ts';
import { currentActor } from '../faults/actor.ts';
import { expectedPlan, type ExpectedPlan } from '../model/subscriber.ts';
import type { FaultName } from '../../../infra/local/vendors/stripe/faults.ts';
import type { refusedCalls } from '../history/action.ts';
import { HOUR } from './limits.ts';
import { type Account, newAccount } from './account.ts';
import { dependenciesWithFaults } from './dependencies.ts';
import { SimulatedClock } from './simulated-time.ts';
import { StripeInProcess } from './stripe-in-process.ts';
import { type Dependencies, deployedSystem, type SystemUnderTest } from './system-under-test.ts';
import { Violations } from './violations.ts';
import { memoryPlans, memoryTasks } from '../../fixtures/fakes/memory-adapters.ts';

type RefusedCall = (typeof refusedCalls)[number];

const decidingCalls: ReadonlySet<RefusedCall> = new Set<RefusedCall>([
  'GET /v1/subscriptions',
  'GET /v1/customers/:id',
  'GET /v1/events',
]);

/** A Stripe event on its way to the webhook. Every event has its own envelope. */
export interface Envelope {
  event: Stripe.Event;
}

export interface WorldOptions {
  start: string;
  /** The offer that the subscriber buys. @default the main offer */
  offer?: OfferKey | undefined;
  hourly: boolean;
  /** The deployed handlers by default. */
  build?: ((dependencies: Dependencies) => SystemUnderTest) | undefined;
  /** Receives a line for everything that happens. */
  log?: ((line: string) => void) | undefined;
}

/**
 * The state of a simulation: the system under test, its in-memory dependencies, the accounts and the events.
 */
export class World {
  readonly planTable = memoryPlans();
  readonly mail = new MemoryMail();
  /** The mails about a plan to each account, in order. */
  readonly mailsTo = new Map<string, Notice[]>();
  /** How often a mail may have been sent twice: a process ended, or an answer was lost, around it. */
  mayBeSentTwice = 0;
  readonly tasks = memoryTasks();
  readonly pool = new MemoryPool();
  readonly cursor = new MemoryEventCursor();
  readonly clock: SimulatedClock;
  readonly stripe: StripeInProcess;
  readonly system: SystemUnderTest;
  readonly violations = new Violations();
  readonly log: ((line: string) => void) | undefined;
  readonly hourly: boolean;
  readonly offer: Offer;

  /** Every account that ever existed. */
  readonly accounts: Account[] = [];
  /** Eve, whose requests carry Ada's ids. */
  readonly attacker: Account;
  /** Ada. A new account after each new sign-up. */
  subscriber: Account;

  /** By Stripe customer id. */
  readonly customerOwners = new Map<string, Account>();
  /** By Stripe customer id. */
  readonly newestCharges = new Map<string, string>();
  /** Newest first. */
  readonly checkoutSessions: { id: string; secret: string }[] = [];
  /** The forms of Stripe's pages where the bank asks the cardholder. Newest first. */
  readonly questions: { path: string; card: string }[] = [];

  readonly events: Envelope[] = [];
  undelivered: Envelope[] = [];
  /** The current action is support's, so what it ends or refunds was requested. */
  supportIsActing = false;

  /** For months, every webhook was lost and no schedule ran. */
  wasSilent = false;
  /** Stripe refuses a kind of call until then, in epoch milliseconds. */
  #refusal: { call: RefusedCall; until: number; end: () => void } | undefined;
  /** Invoices that were drafts when their subscription was cancelled. */
  readonly declinedInvoices = new Set<string>();
  /** How long Stripe has refused something, or the schedules have not run, in milliseconds. */
  unseenFor = 0;

  readonly schedules: {
    /** Epoch milliseconds. */
    lastCatchUp: number;
    lastRunFailed: boolean;
    /** Something has happened at Stripe since the last run, or that run failed. */
    hasWork: boolean;
  };

  constructor(
    { start, offer, hourly, build = deployedSystem, log }: WorldOptions,
    onEvent: (event: Stripe.Event) => void,
  ) {
    this.log = log;
    this.clock = new SimulatedClock(new Date(Date.parse(start)));
    this.hourly = hourly;
    this.offer = offers.find(({ key }) => key === offer) ?? mainOffer;
    this.stripe = new StripeInProcess(this.clock, { onEvent, onFault: () => this.#refused() });
    // The catch-up has run an hour ago, and reads the ten minutes before that again.
    this.cursor.position = new Date(this.now.getTime() - 70 * 60_000);
    this.system = build(
      dependenciesWithFaults(this, {
        onMail: (to, email) => this.#mailed(to, email),
        onSubscriptionsRead: (customerId) => this.#subscriptionsRead(customerId),
        onSubscriptionChange: () => this.#subscriptionChange(),
        onPlanWritten: (userId) => this.#planWritten(userId),
      }),
    );
    this.attacker = this.addAccount('eve', 'eve@example.com');
    this.subscriber = this.addAccount('ada-1', 'ada@example.com');
    for (const { id, email } of this.accounts) void this.planTable.open(id, this.now, { address: email });
    this.schedules = { lastCatchUp: this.now.getTime(), lastRunFailed: false, hasWork: true };
  }

  /** Makes Stripe refuse a call for some hours. Ends what Stripe refused before. */
  refuse(call: RefusedCall, fault: FaultName, hours: number): void {
    this.endRefusal();
    const [method = '', path = ''] = call.split(' ');
    const end = this.stripe.faults.addLasting({ method: method as 'GET' | 'POST' | 'DELETE', path, fault });
    this.#refusal = { call, end, until: this.now.getTime() + hours * HOUR };
    this.unseenFor += hours * HOUR;
  }

  endRefusal(): void {
    this.#refusal?.end();
    this.#refusal = undefined;
  }

  /** Epoch milliseconds. */
  get refusalEnds(): number {
    return this.#refusal?.until ?? Infinity;
  }

  /** Whether Stripe refuses what a plan is decided from. */
  get isUndecidable(): boolean {
    return this.#refusal !== undefined && decidingCalls.has(this.#refusal.call);
  }

  /** Whether something is left to be done for the account at Stripe. */
  isLeft(account: Account): boolean {
    const now = this.now.toISOString();
    return this.#tasksOf(account).some(({ due, work }) => work !== 'tries-end' || due <= now);
  }

  /** Whether something was tried for the account at Stripe, and failed. */
  isDeferred(account: Account): boolean {
    return this.#tasksOf(account).some(({ failure }) => failure !== NOT_TRIED);
  }

  #tasksOf(account: Account): BillingTask[] {
    return [...this.tasks.items.values()].filter(
      ({ customer_id }) => this.customerOwners.get(customer_id) === account,
    );
  }

  /** All accounts of a user have one address, and one at a time exists. */
  #mailed(to: string, email: Notice): void {
    this.log?.(`  mail ${email.name}: ${email.text.replaceAll('\n', ' ')}`);
    const account = this.accounts.find((one) => one.email === to && this.exists(one));
    if (account) this.mailsTo.set(account.id, [...(this.mailsTo.get(account.id) ?? []), email]);
  }

  #refused(): void {
    const actor = currentActor();
    if (actor) actor.wasRefused = true;
  }

  get now(): Date {
    return this.clock.now();
  }

  get seconds(): number {
    return Math.floor(this.now.getTime() / 1000);
  }

  rowOf({ id }: Account): UserPlan | undefined {
    return this.planTable.rows.get(id);
  }

  exists({ id }: Account): boolean {
    return this.pool.accounts.has(id);
  }

  /** The subscriber's newest Stripe customer. */
  get customerId(): string | undefined {
    return [...this.customerOwners].findLast(([, owner]) => owner === this.subscriber)?.[0];
  }

  /** The content of the account's row that the model expects now. */
  expectedPlanOf(account: Account): ExpectedPlan {
    // A complimentary plan ends with the account.
    const complimentary = this.exists(account) ? account.model.complimentary : undefined;
    return expectedPlan({ ...account.model, complimentary }, this.now.getTime() / 1000);
  }

  addAccount(id: string, email: string): Account {
    const account = newAccount(id, email, this.seconds);
    this.accounts.push(account);
    this.pool.put({ username: id, email });
    return account;
  }

  #subscriptionsRead(customerId: string): void {
    const account = this.customerOwners.get(customerId);
    if (account) currentActor()?.eventsSeen.set(account.id, account.eventCount);
  }

  /**
   * The answer of a change is as good as a read, if the change's own event is the only one since the read.
   */
  #subscriptionChange(): (customerId: string) => void {
    const before = new Map(this.accounts.map(({ id, eventCount }) => [id, eventCount]));
    return (customerId) => {
      const account = this.customerOwners.get(customerId);
      if (!account) return;
      const seen = currentActor()?.eventsSeen.get(account.id);
      if (seen === undefined || seen !== before.get(account.id) || account.eventCount !== seen + 1) return;
      this.#subscriptionsRead(customerId);
    };
  }

  // The decision that is based on the later read of Stripe wins.
  #planWritten(userId: string): void {
    const account = this.accounts.find(({ id }) => id === userId);
    const seen = currentActor()?.eventsSeen.get(userId);
    if (account && seen !== undefined) account.eventsAtDecision = Math.max(seen, account.eventsAtDecision);
  }
}
