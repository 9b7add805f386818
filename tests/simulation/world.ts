import type { Stripe } from 'stripe';
import { type Billing, billingOver } from '../../functions/adapters/stripe/billing.ts';
import type { UserPlan } from '../../schemas/plan.ts';
import { call, type Call } from '../fixtures/http-event.ts';
import { MemoryMail } from '../fixtures/memory-mail.ts';
import { MemoryPlans } from '../fixtures/memory-plans.ts';
import type { HttpHandler } from '../../functions/runtime/route.ts';
import { cards, type Deed, type History, type Step } from './history.ts';
import { MemoryCursor } from './memory-cursor.ts';
import { MemoryPool } from './memory-pool.ts';
import { MemoryStore } from './memory-store.ts';
import { type Neighbours, type Product, realProduct } from './product.ts';
import { StripeInProcess } from './stripe-in-process.ts';
import { chargedTwice, due, hear, isVain, nobody, runningContracts, type Subscriber } from './subscriber.ts';
import type { Tally } from './counters.ts';
import { acting, Actor, type Ended, type Strike, struck, together } from './turns.ts';
import { HeldClock } from './world-time.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * How long somebody may be on the wrong plan while the schedules run: to the next hour, and once more where that catch-up fails.
 * It holds where every webhook is lost and nobody opens a page.
 */
export const BOUND = 2 * HOUR;

// Stripe lists events for thirty days, so a catch-up that nobody runs for longer has lost some.
const LONGEST_WITHOUT_CATCH_UP = 25 * DAY;
// Two renewals, and all the tries that a failed one has.
const LONG_AFTER = 70 * DAY;

/** What must never be. */
export class Violation extends Error {}

interface Account {
  id: string;
  email: string;
  /** Unix seconds. */
  signedInAt: number;
  model: Subscriber;
  /** Has asked for the account to be deleted, whatever came of it. */
  isLeaving: boolean;
  /** How much has happened to them at Stripe, and how much of it the youngest decision knew. */
  heard: number;
  decidedAt: number;
  /** The row's version as last seen, and the row's plan before the step. */
  version: number;
  planBefore: UserPlan['plan'];
  /** Whether there was, at some moment of the step, a right to Plus. */
  hadRight: boolean;
  /** For how long, in milliseconds, the row has said less, or more, than was paid for. */
  lockedOut: number;
  overstayed: number;
}

interface Envelope {
  event: Stripe.Event;
  number: number;
}

/** Deeds that need nothing of the product. */
type AtStripe = Exclude<
  Deed,
  {
    do:
      | 'read the plan'
      | 'open a checkout'
      | 'return'
      | 'cancel'
      | 'renew'
      | 'delete the account'
      | 'sign up'
      | 'sweep'
      | 'catch up'
      | 'deliver'
      | 'replay'
      | 'time passes';
  }
>;

export interface WorldOptions {
  start: string;
  hourly: boolean;
  tally: Tally;
  build?: (neighbours: Neighbours) => Product;
  /** Is told what happens, a line each. */
  tell?: ((line: string) => void) | undefined;
}

/** The product among its neighbours, one subscriber, somebody who spies on her, and the model that hears everything. */
export class World {
  readonly plans = new MemoryPlans();
  readonly pool = new MemoryPool();
  readonly cursor = new MemoryCursor();
  readonly stripe: StripeInProcess;
  readonly #clock: HeldClock;
  readonly #product: Product;
  readonly #tally: Tally;
  readonly #tell: ((line: string) => void) | undefined;
  readonly #hourly: boolean;
  readonly #neighbours: Neighbours;
  readonly #accounts: Account[] = [];
  readonly #eve: Account;
  readonly #ownerOf = new Map<string, Account>();
  readonly #lastCharge = new Map<string, string>();
  readonly #sessions: { id: string; secret: string }[] = [];
  readonly #everyEvent: Envelope[] = [];
  #undelivered: Envelope[] = [];
  #violations: string[] = [];
  #ada: Account;
  #catchUpFailed = false;
  #supportAtWork = false;
  #caughtUpAt: number;
  #restless = true;

  constructor({ start, hourly, tally, build = realProduct, tell }: WorldOptions) {
    this.#tell = tell;
    this.#clock = new HeldClock(new Date(Date.parse(start)));
    this.#tally = tally;
    this.#hourly = hourly;
    this.stripe = new StripeInProcess(this.#clock, new MemoryStore(), (event) => this.#hear(event));
    this.#neighbours = {
      plans: struckTable(this.plans, (id) => this.#decided(id)),
      billing: this.#watched(billingOver(this.stripe.connection)),
      accounts: struck('pool', this.pool),
      users: struck('pool', { has: async (id: string) => this.pool.has(id) }),
      mail: struck('mail', new MemoryMail()),
      cursor: struck('table', this.cursor),
    };
    this.#product = build(this.#neighbours);
    this.#eve = this.#join('eve', 'eve@example.com');
    this.#ada = this.#join('ada-1', 'ada@example.com');
    for (const { id } of this.#accounts) void this.plans.open(id, this.now);
    // The catch-up has run before: there is a cursor.
    this.cursor.at = this.now;
    this.#caughtUpAt = this.now.getTime();
  }

  get now(): Date {
    return this.#clock.now();
  }

  get seconds(): number {
    return Math.floor(this.now.getTime() / 1000);
  }

  row(): UserPlan | undefined {
    return this.plans.rows.get(this.#ada.id);
  }

  model(): Subscriber {
    return this.#ada.model;
  }

  /** Whether Ada's account is there. */
  get exists(): boolean {
    return this.pool.has(this.#ada.id);
  }

  end(): void {
    this.#clock.release();
  }

  async step(step: Step): Promise<void> {
    this.#beginStep();
    const before = this.#undelivered.length;
    const { deed, strike, beside, turns, post } = step;
    const main = new Actor(strike);
    if (deed.do === 'time passes') {
      this.#tally.count('Deeds', deed.do);
      await this.#letPass(deed.hours * HOUR, strike);
    } else if (beside && beside.deed.do !== 'time passes') {
      const other = new Actor(beside.strike);
      this.#tally.count('Enemy', 'two at once');
      await together(
        [
          { actor: main, work: () => this.#perform(deed, main, true) },
          { actor: other, work: () => this.#perform(beside.deed, other, true) },
        ],
        turns,
      );
      this.#countStrike(other);
    } else {
      await this.#perform(deed, main, false);
    }
    this.#countStrike(main);
    // A deed that calls nobody leaves the blow for the first who hears of it.
    const left = main.calls.length === 0 && deed.do !== 'time passes' ? strike : undefined;
    await this.#post(this.#undelivered.splice(before), post, left);
    this.#observe();
  }

  /** One deed, alone; resolves with how it ended and what it called. */
  async alone(deed: Deed, strike?: Strike): Promise<{ ended: Ended<number | undefined>; actor: Actor }> {
    this.#beginStep();
    const actor = new Actor(strike);
    const ended = await this.#perform(deed, actor, false);
    this.#observe();
    return { ended, actor };
  }

  /** Everything that is on its way arrives. */
  async deliverAll(): Promise<void> {
    this.#beginStep();
    await this.#post(this.#undelivered.splice(0), 'in order', undefined);
    this.#observe();
  }

  loseAll(): void {
    this.#undelivered = [];
  }

  /** Where an event of this type stands among those that are on their way. */
  onItsWay(type: Stripe.Event.Type): number {
    const index = this.#undelivered.findIndex(({ event }) => event.type === type);
    if (index === -1) throw new Error(`No ${type} is on its way.`);
    return index;
  }

  /** Nothing is delivered any more; the schedules run once; then all is as the model says, and whoever has left stays unbilled. */
  async settle(): Promise<void> {
    this.#beginStep();
    this.#undelivered = [];
    for (const deed of [{ do: 'catch up' }, { do: 'sweep' }] as const) {
      const { ended } = await this.alone(deed);
      if (ended.kind !== 'answered') this.#violate(`The last "${deed.do}" did not end well.`);
    }
    this.#observe();
    for (const account of this.#accounts) this.#compare(account);
    if (this.#accounts.some(({ id }) => !this.pool.has(id))) {
      this.#moveStripeTo(this.now.getTime() + LONG_AFTER);
    }
    this.#throwViolations();
  }

  #join(id: string, email: string): Account {
    const account: Account = {
      id,
      email,
      signedInAt: this.seconds,
      model: nobody,
      isLeaving: false,
      heard: 0,
      decidedAt: 0,
      version: 0,
      planBefore: 'free',
      hadRight: false,
      lockedOut: 0,
      overstayed: 0,
    };
    this.#accounts.push(account);
    this.pool.signUp(id, email);
    return account;
  }

  // Of two decisions the one made from the younger answer stands.

  #watched(billing: Billing): Billing {
    return {
      ...billing,
      subscriptionsOf: async (customerId) => {
        const subscriptions = await billing.subscriptionsOf(customerId);
        const account = this.#ownerOf.get(customerId);
        if (account) acting()?.looks.set(account.id, account.heard);
        return subscriptions;
      },
    };
  }

  #decided(id: string): void {
    const account = this.#accounts.find((one) => one.id === id);
    const look = acting()?.looks.get(id);
    if (account && look !== undefined) account.decidedAt = Math.max(look, account.decidedAt);
  }

  // What happens at Stripe, and who hears of it.

  #hear(event: Stripe.Event): void {
    this.#restless = true;
    this.#tell?.(`  Stripe: ${event.type} ${described(event)}`);
    const envelope = { event, number: this.#everyEvent.length };
    this.#everyEvent.push(envelope);
    this.#undelivered.push(envelope);
    if (event.type === 'customer.created') {
      const { id, metadata } = event.data.object;
      const owner = this.#accounts.find((account) => account.id === metadata['user_id']);
      if (owner) this.#ownerOf.set(id, owner);
    }
    const customer = customerOf(event);
    const account = customer === undefined ? undefined : this.#ownerOf.get(customer);
    if (customer === undefined || !account) return;
    account.heard += 1;
    if (event.type === 'charge.succeeded') {
      this.#lastCharge.set(customer, event.data.object.id);
      if (!this.pool.has(account.id))
        this.#violate(`${account.id} is charged after the account was deleted.`);
    }
    if (event.type === 'charge.refunded' && !this.#supportAtWork) {
      if (!isVain(account.model, event.data.object.id)) {
        this.#violate(`${account.id} is given back what was paid once.`);
      }
    }
    // Whoever leaves, or is shown out by support, takes what they paid with them.
    const asked = this.#supportAtWork || this.plans.rows.get(account.id)?.closing_until !== undefined;
    account.model = hear(account.model, event, { charge: this.#lastCharge.get(customer) ?? '', asked });
    if (this.#due(account).plan !== 'free') account.hadRight = true;
  }

  // What people do.

  /** Resolves with the HTTP status where a handler was asked. */
  async #perform(deed: Deed, actor: Actor, raced: boolean): Promise<Ended<number | undefined>> {
    this.#tally.count('Deeds', deed.do);
    this.#tell?.(`${this.now.toISOString()} ${JSON.stringify(deed)}`);
    const ended = await actor.perform(() => this.#do(deed, actor));
    this.#tell?.(
      `  ${deed.do}: ${JSON.stringify(ended)} after ${actor.calls.map(({ name }) => name).join(', ')}; struck: ${JSON.stringify(actor.struck)}; row: ${JSON.stringify(this.row())}`,
    );
    if (ended.kind === 'answered' && ended.value !== undefined) {
      this.#tally.count('Answers', `${deed.do} ${ended.value}`);
      if (ended.value >= 500 && !raced && !actor.struck) {
        this.#violate(`"${deed.do}" failed though nothing befell it.`);
      }
    }
    if (ended.kind === 'threw' && !actor.struck) {
      this.#violate(`"${deed.do}" threw though nothing befell it: ${String(ended.error)}`);
    }
    return ended;
  }

  async #do(deed: Deed, actor: Actor): Promise<number | undefined> {
    const ada = this.#ada;
    const { checkout, status, cancel, renew, plan, deletion, sweep, catchUp } = this.#product;
    switch (deed.do) {
      case 'read the plan':
        return (await this.#ask(plan, ada)).status;
      case 'open a checkout': {
        const body = { planName: 'plus', userId: ada.id, userEmail: ada.email };
        const answer = await this.#ask(checkout, ada, { body });
        const secret = answer.body['clientSecret'];
        if (typeof secret === 'string' && !this.#sessions.some((one) => one.secret === secret)) {
          this.#sessions.unshift({ id: secret.split('_secret_')[0] ?? '', secret });
        }
        return answer.status;
      }
      case 'return': {
        const session = this.#session(deed.session);
        if (!session) return undefined;
        const who = deed.who === 'eve' ? this.#eve : ada;
        const answer = await this.#ask(status, who, { query: { session_id: session.id } });
        if (deed.who === 'eve' && answer.status === 200) this.#violate("Eve was shown Ada's payment.");
        return answer.status;
      }
      case 'cancel':
        return this.#cancel(deed, deed.who === 'eve' ? this.#eve : ada, cancel);
      case 'renew':
        return (await this.#ask(renew, ada, { body: {} })).status;
      case 'delete the account': {
        ada.signedInAt = this.seconds;
        ada.isLeaving = true;
        const { given } = ada.model;
        if (given) ada.model = { ...ada.model, given: { ...given, doubtful: true } };
        const answer = await this.#ask(deletion, ada, { body: {} });
        if (answer.status === 200 && this.pool.has(ada.id))
          this.#violate('A deleted account is still there.');
        return answer.status;
      }
      case 'sign up': {
        if (this.pool.has(ada.id)) return undefined;
        this.#ada = this.#join(`ada-${this.#accounts.length}`, ada.email);
        // As the trigger does.
        await this.#neighbours.plans.open(this.#ada.id, this.now);
        return undefined;
      }
      case 'sweep':
        await sweep();
        return undefined;
      case 'catch up':
        await catchUp();
        this.#caughtUpAt = this.now.getTime();
        return undefined;
      case 'deliver': {
        const envelope = this.#undelivered[deed.event % this.#undelivered.length];
        if (!envelope) return undefined;
        this.#tally.count('Webhooks', deed.keep ? 'delivered late, and once more' : 'delivered late');
        return this.#deliver(envelope, deed.keep);
      }
      case 'replay': {
        const envelope = this.#everyEvent[deed.event % this.#everyEvent.length];
        if (!envelope) return undefined;
        this.#tally.count('Webhooks', 'replayed');
        return this.#deliver(envelope, true);
      }
      case 'time passes':
        throw new Error('Time passes for everybody.');
      default:
        await actor.turn();
        this.#atStripe(deed);
        return undefined;
    }
  }

  async #ask(handler: HttpHandler, account: Account, request: Call = {}): ReturnType<typeof call> {
    return call(handler, {
      user: account.id,
      authTime: account.signedInAt,
      headers: { authorization: `Bearer ${account.id}` },
      ...request,
    });
  }

  async #cancel(
    deed: Extract<Deed, { do: 'cancel' }>,
    who: Account,
    cancel: HttpHandler,
  ): Promise<number | undefined> {
    const row = this.plans.rows.get(this.#ada.id);
    const [old] = this.#ada.model.contracts.keys();
    const shown = deed.what === 'what the page shows' ? row?.stripe_subscription_id : undefined;
    const subscription = deed.what === 'an old subscription' ? old : shown;
    const before = this.#clock.now();
    const answer = await this.#ask(cancel, who, { body: { subscription_id: subscription ?? null } });
    if (deed.who === 'eve' && answer.status === 200) this.#violate("Eve cancelled Ada's subscription.");
    if (subscription === undefined) this.#endGift(this.#ada, before);
    return answer.status;
  }

  /** A gift that was cancelled ends with the month; whether it was, only the row knows. */
  #endGift(account: Account, at: Date): void {
    const { given } = account.model;
    if (!given || given.until !== undefined) return;
    const monthEnd = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1) - 1;
    if (this.plans.rows.get(account.id)?.plan_expires_at === new Date(monthEnd).toISOString()) {
      account.model = { ...account.model, given: { ...given, until: monthEnd / 1000 } };
    }
  }

  #session(number: number): { id: string; secret: string } | undefined {
    return this.#sessions[number % this.#sessions.length];
  }

  /** Of Ada's customers the last. */
  #customer(): string | undefined {
    return [...this.#ownerOf].findLast(([, owner]) => owner === this.#ada)?.[0];
  }

  /** What needs nothing of the product: all of it at one moment. */
  #atStripe(deed: AtStripe): void {
    const [running] = runningContracts(this.#ada.model, this.seconds);
    const [subscription] = running ?? [];
    const payment = this.#ada.model.payments.findLast(({ refunded }) => !refunded);
    switch (deed.do) {
      case 'pay': {
        const session = this.#session(deed.session);
        if (!session) return;
        const taken = this.stripe.enterCard(`/embedded/${session.secret}/pay`, cards[deed.card]);
        this.#tally.count('Answers', taken ? 'pay: taken' : 'pay: refused');
        return;
      }
      case 'enter a new card': {
        const customer = this.#customer();
        if (customer === undefined) return;
        const portal = this.stripe.ask('POST', '/v1/billing_portal/sessions', { customer });
        const url = (portal as Stripe.BillingPortal.Session | undefined)?.url;
        if (url) this.stripe.enterCard(`${new URL(url).pathname}/card`, cards[deed.card]);
        return;
      }
      case 'pay what is owed': {
        const customer = this.#customer();
        // Of whichever subscription, ended ones too: Stripe's page asks for the money all the same.
        const owed = this.stripe.ledger.invoices
          .list()
          .find((invoice) => invoice.customer === customer && invoice.status === 'open');
        if (owed) this.stripe.ask('POST', `/v1/invoices/${owed.id}/pay`, { off_session: 'false' });
        return;
      }
      case 'cancel in the portal': {
        const at = deed.hours === undefined ? 'min_period_end' : String(this.seconds + deed.hours * 3600);
        if (subscription !== undefined)
          this.stripe.ask('POST', `/v1/subscriptions/${subscription}`, { cancel_at: at });
        return;
      }
      case 'renew in the portal':
        if (subscription !== undefined && running?.[1].endsAt !== undefined) {
          // Stripe takes the flag where it is set, and the date otherwise.
          const path = `/v1/subscriptions/${subscription}`;
          const lifted = this.stripe.ledger.subscriptions.get(subscription)?.cancel_at_period_end;
          this.stripe.ask('POST', path, lifted ? { cancel_at_period_end: 'false' } : { cancel_at: '' });
        }
        return;
      case 'support ends it':
        this.#supportAtWork = true;
        if (subscription !== undefined) this.stripe.ask('DELETE', `/v1/subscriptions/${subscription}`);
        this.#supportAtWork = false;
        return;
      case 'support refunds':
        this.#supportAtWork = true;
        if (payment) this.stripe.ask('POST', '/v1/refunds', { charge: payment.charge });
        this.#supportAtWork = false;
        return;
      case 'the bank disputes':
        if (payment) {
          const { charge } = payment;
          const dispute = {
            id: 'dp_1',
            object: 'dispute',
            charge,
            amount: 500,
            currency: 'usd',
            status: 'needs_response',
          };
          this.stripe.emit('charge.dispute.created', dispute);
        }
        return;
      case 'support gives Plus':
        this.#give(deed.hours);
        return;
      case 'a second checkout opens':
        this.#openAnother();
        return;
      case 'drop':
        if (this.#undelivered.length > 0) {
          this.#tally.count('Webhooks', 'dropped');
          this.#undelivered.splice(deed.event % this.#undelivered.length, 1);
        }
        return;
    }
  }

  /** One that the product doesn't know of, for the same customer. */
  #openAnother(): void {
    const customer = this.row()?.billing_customer_id;
    const price = this.stripe.ledger.prices.list()[0]?.id;
    if (customer === undefined || price === undefined) return;
    const opened = this.stripe.ask('POST', '/v1/checkout/sessions', {
      mode: 'subscription',
      ui_mode: 'embedded_page',
      customer,
      'line_items[0][price]': price,
      'line_items[0][quantity]': '1',
      return_url: 'https://selfsame.example/checkout/return?session_id={CHECKOUT_SESSION_ID}',
      'subscription_data[metadata][user_id]': this.#ada.id,
    }) as Stripe.Checkout.Session | undefined;
    if (opened?.client_secret) this.#sessions.unshift({ id: opened.id, secret: opened.client_secret });
  }

  #give(hours: number | undefined): void {
    const row = this.row();
    if (
      !row ||
      row.plan === 'plus' ||
      row.closing_until ||
      this.#customer() !== undefined ||
      this.#ada.isLeaving
    )
      return;
    const until = hours === undefined ? undefined : this.seconds + hours * 3600;
    this.plans.put({
      ...row,
      plan: 'plus',
      // The shard is a hash of the id, which somebody at a console copies from the README's line; any the sweep reads will do.
      ...(until !== undefined && { plan_expires_at: new Date(until * 1000).toISOString(), expiry_shard: 3 }),
      version: row.version + 1,
    });
    this.#ada.model = { ...this.#ada.model, given: { until } };
    this.#ada.hadRight = true;
  }

  // Webhooks.

  async #deliver(envelope: Envelope, keep: boolean): Promise<number | undefined> {
    const { status } = await call(this.#product.webhook, this.stripe.signed(envelope.event));
    if (status === 200 && !keep) this.#undelivered = this.#undelivered.filter((one) => one !== envelope);
    if (status !== undefined && status >= 400 && status < 500) this.#violate('A signed event was refused.');
    return status;
  }

  async #post(caused: Envelope[], how: Step['post'], strike: Strike | undefined): Promise<void> {
    if (caused.length === 0) return;
    this.#tally.count('Webhooks', how === 'never' ? 'lost' : `sent ${how}`, caused.length);
    if (how === 'never') return;
    if (how === 'later') {
      this.#undelivered.push(...caused);
      return;
    }
    let blow = strike;
    const queue =
      how === 'backwards'
        ? caused.toReversed()
        : how === 'each twice'
          ? caused.flatMap((one) => [one, one])
          : caused;
    for (const envelope of queue) {
      const actor = new Actor(blow);
      const ended = await actor.perform(() => this.#deliver(envelope, true));
      this.#countStrike(actor);
      if (actor.struck) blow = undefined;
      const failed = ended.kind !== 'answered' || ended.value !== 200;
      if (failed && !actor.struck) this.#violate(`The event ${envelope.event.type} was not taken.`);
      // Stripe will send it again some day.
      if (failed) this.#undelivered.push(envelope);
    }
  }

  // Time.

  async #letPass(milliseconds: number, strike: Strike | undefined): Promise<void> {
    const target = this.now.getTime() + milliseconds;
    let blow = strike;
    for (;;) {
      const now = this.now.getTime();
      const stripe = this.stripe.nextMoment() ?? Infinity;
      const moment = Math.min(stripe, this.#nextRun(now, target));
      if (moment > target) break;
      this.#elapse(Math.max(moment, now));
      if (stripe <= moment) this.stripe.doWhatIsDue();
      else {
        this.#undelivered = this.#undelivered.slice(-200);
        const failed = await this.#runSchedules(this.#catchUpFailed ? undefined : blow);
        if (failed) blow = undefined;
      }
    }
    this.#elapse(target);
  }

  /** While nothing happens and nothing ends the schedules find nothing, so of an idle stretch only its last hour is run. */
  #nextRun(now: number, target: number): number {
    if (!this.#hourly) {
      const latest = this.#caughtUpAt + LONGEST_WITHOUT_CATCH_UP;
      return Math.max(latest, now);
    }
    const nextHour = (Math.floor(now / HOUR) + 1) * HOUR;
    if (this.#restless) return nextHour;
    const ends = [...this.plans.rows.values()].map((row) => Date.parse(row.plan_expires_at ?? '9999-12-31'));
    const nextEnd = Math.ceil(Math.min(...ends) / HOUR) * HOUR;
    return Math.max(nextHour, Math.min(nextEnd, Math.floor(target / HOUR) * HOUR));
  }

  /** Whether the enemy made one of them fail. */
  async #runSchedules(strike: Strike | undefined): Promise<boolean> {
    const run = async (deed: Deed, blow: Strike | undefined): Promise<boolean> => {
      const actor = new Actor(blow);
      const ended = await this.#perform(deed, actor, false);
      this.#countStrike(actor);
      return ended.kind !== 'answered';
    };
    this.#restless = false;
    const caughtUp = await run({ do: 'catch up' }, strike);
    const swept = await run({ do: 'sweep' }, caughtUp ? undefined : strike);
    this.#catchUpFailed = caughtUp || swept;
    // What failed is run again within the hour.
    this.#caughtUpAt = this.now.getTime() - (this.#catchUpFailed ? LONGEST_WITHOUT_CATCH_UP - HOUR : 0);
    this.#restless = this.#catchUpFailed;
    this.#observe();
    this.#beginStep();
    return this.#catchUpFailed;
  }

  /** The clock moves; nothing changes meanwhile. */
  #elapse(to: number): void {
    const stretch = to - this.now.getTime();
    for (const account of this.#accounts) {
      const paid = this.#due(account).plan;
      const has = this.plans.rows.get(account.id)?.plan ?? 'free';
      account.lockedOut = paid === 'plus' && has === 'free' ? account.lockedOut + stretch : 0;
      account.overstayed = paid === 'free' && has === 'plus' ? account.overstayed + stretch : 0;
      if (!this.#hourly) continue;
      this.#tally.most(
        'Longest, in seconds, while the schedules run',
        'a payer without Plus',
        account.lockedOut / 1000,
      );
      this.#tally.most(
        'Longest, in seconds, while the schedules run',
        'a non-payer on Plus',
        account.overstayed / 1000,
      );
      if (account.lockedOut > BOUND)
        this.#violate(`${account.id} has paid and is locked out for more than two hours.`);
      if (account.overstayed > BOUND)
        this.#violate(`${account.id} has not paid and is on Plus for more than two hours.`);
    }
    this.#clock.moveTo(to);
  }

  #moveStripeTo(target: number): void {
    for (;;) {
      const moment = this.stripe.nextMoment();
      if (moment === undefined || moment > target) break;
      this.#clock.moveTo(Math.max(moment, this.now.getTime()));
      this.stripe.doWhatIsDue();
    }
    this.#clock.moveTo(target);
  }

  // What must hold.

  #due(account: Account): ReturnType<typeof due> {
    const { contracts, payments, given } = account.model;
    // A gift ends with the account.
    const standing = this.pool.has(account.id) ? given : undefined;
    return due({ contracts, payments, given: standing }, this.now.getTime() / 1000);
  }

  #beginStep(): void {
    for (const account of this.#accounts) {
      account.planBefore = this.plans.rows.get(account.id)?.plan ?? 'free';
      account.hadRight = this.#due(account).plan !== 'free';
    }
  }

  /** What holds at every moment, whatever is on its way. */
  #observe(): void {
    for (const account of this.#accounts) {
      const row = this.plans.rows.get(account.id);
      if (row) this.#observeRow(account, row);
      const all = [...account.model.contracts.values()];
      // Where there were two, one of them is about to be ended.
      const simple =
        all.length > 0 && !account.model.given && !all.some(({ besideAnother }) => besideAnother);
      if (simple && account.decidedAt === account.heard) this.#compareRow(account, row);
      if (!this.pool.has(account.id) && runningContracts(account.model, this.seconds).length > 0) {
        this.#violate(`${account.id} is deleted and billing goes on.`);
      }
    }
    this.#throwViolations();
  }

  #observeRow(account: Account, row: UserPlan): void {
    if (row.version < account.version && row.version > 1)
      this.#violate(`The version of ${account.id} went back.`);
    account.version = row.version;
    if (row.plan === 'plus' && account.planBefore === 'free' && !account.hadRight) {
      this.#violate(`${account.id} has got Plus without a right to it.`);
    }
    const traces = [
      row.plan_expires_at,
      row.stripe_subscription_id,
      row.stripe_customer_id,
      row.expiry_shard,
    ];
    if (row.plan === 'free' && traces.some((trace) => trace !== undefined)) {
      this.#violate(`The Free row of ${account.id} keeps an expiry or an id of Stripe's.`);
    }
    if (row.plan_expires_at !== undefined && row.stripe_subscription_id !== undefined) {
      this.#violate(`The row of ${account.id} both ends and names a subscription that renews.`);
    }
    if ((row.plan_expires_at === undefined) !== (row.expiry_shard === undefined)) {
      this.#violate(`The row of ${account.id} has an expiry that no sweep finds, or the other way round.`);
    }
  }

  /** How long it can be, where every webhook is lost, until somebody looks. */
  get #unlooked(): number {
    // A catch-up that the enemy makes fail is run again an hour later.
    return this.#hourly ? BOUND : LONGEST_WITHOUT_CATCH_UP + HOUR;
  }

  /** What holds once the dust has settled. */
  #compare(account: Account): void {
    const row = this.plans.rows.get(account.id);
    const running = runningContracts(account.model, this.seconds);
    if (running.length > 1) this.#violate(`${account.id} has ${running.length} subscriptions that run.`);
    for (const [one, other] of chargedTwice(account.model, this.#unlooked / 1000)) {
      this.#violate(`${account.id} has paid twice for one time: ${one.contract} and ${other.contract}.`);
    }
    if (!this.pool.has(account.id)) {
      // A deletion that is killed between the pool and the row leaves an id that leads to nobody, and a few dates with it.
      const { billing_customer_id: customer, checkout_session_id: session } = row ?? {};
      if (row?.plan === 'plus' || customer !== undefined || session !== undefined) {
        this.#violate(`The row of ${account.id} outlives the account.`);
      }
      return;
    }
    this.#compareRow(account, row);
  }

  #compareRow(account: Account, row: UserPlan | undefined): void {
    const wanted = this.#due(account);
    if (!this.pool.has(account.id) || wanted.plan === 'either') return;
    if ((row?.plan ?? 'free') !== wanted.plan) {
      this.#violate(`${account.id} should be on ${wanted.plan} and is on ${row?.plan ?? 'nothing'}.`);
    }
    if (wanted.plan === 'free' || !row) return;
    const expiry =
      wanted.expiresAt === undefined ? undefined : new Date(wanted.expiresAt * 1000).toISOString();
    if (row.plan_expires_at !== expiry) {
      this.#violate(
        `${account.id} should end ${expiry ?? 'never'} and ends ${row.plan_expires_at ?? 'never'}.`,
      );
    }
    if (row.stripe_subscription_id !== wanted.subscription) {
      this.#violate(`The row of ${account.id} names another subscription than the one that renews.`);
    }
    if ((row.stripe_customer_id === undefined) !== wanted.byHand) {
      this.#violate(`The row of ${account.id} has lost its customer, or a gift has got one.`);
    }
  }

  #countStrike({ struck: hit }: Actor): void {
    if (hit) this.#tally.count('Blows', `${hit.party} ${hit.blow}`);
  }

  #violate(what: string): void {
    this.#violations.push(what);
  }

  #throwViolations(): void {
    if (this.#violations.length === 0) return;
    const message = [...new Set(this.#violations)].join(' ');
    this.#violations = [];
    throw new Violation(message);
  }
}

/** A page of the index is a call too. */
function struckTable(plans: MemoryPlans, decided: (id: string) => void): Neighbours['plans'] {
  const decide: MemoryPlans['decide'] = async (row, ...rest) => {
    const written = await plans.decide(row, ...rest);
    if (written) decided(row.id);
    return written;
  };
  const calls = struck('table', plans);
  const decision = struck('table', { decide });
  const firstPage = struck('table', {
    expired: async (shard: number, now: Date): Promise<string[]> => {
      for await (const page of plans.expired(shard, now)) return page;
      return [];
    },
  });
  return new Proxy(calls, {
    get: (target, name) =>
      name === 'decide'
        ? decision.decide
        : name === 'expired'
          ? async function* (shard: number, now: Date) {
              yield await firstPage.expired(shard, now);
            }
          : (Reflect.get(target, name) as unknown),
  });
}

function customerOf({ data, type }: Stripe.Event): string | undefined {
  const object = data.object as { id?: string; object: string; customer?: string | { id: string } | null };
  if (type.startsWith('customer.') && object.object === 'customer') return object.id;
  return typeof object.customer === 'string' ? object.customer : object.customer?.id;
}

/** What tells one event from another, for a story. */
function described({ data }: Stripe.Event): string {
  const { id, status, cancel_at, lines, parent } = data.object as unknown as Record<string, unknown>;
  return JSON.stringify({
    id,
    status,
    cancel_at,
    parent,
    period: (lines as Stripe.Invoice['lines'] | undefined)?.data[0]?.period,
  });
}

/** Runs a history to its end, and throws the first thing that must not be. */
export async function live(
  { start, hourly, steps }: History,
  tally: Tally,
  build?: WorldOptions['build'],
  tell?: WorldOptions['tell'],
): Promise<void> {
  const world = new World({ start, hourly, tally, ...(build && { build }), tell });
  try {
    for (const step of steps) await world.step(step);
    await world.settle();
    tally.count('Histories', 'lived through');
    tally.count('Histories', 'steps', steps.length);
  } finally {
    world.end();
  }
}
