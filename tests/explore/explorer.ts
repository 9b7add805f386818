import type { BrowserContext, Page, Request } from 'playwright/test';
import { type Account, codeIn } from '../fixtures/worlds/account.ts';
import type { Message } from '../../infra/local/base/inbox.ts';
import { observeLayoutShifts } from '../fixtures/browser/layout-shifts.ts';
import { cardForm, CARDS, pay } from '../fixtures/browser/journey.ts';
import type { World } from '../fixtures/worlds/world.ts';
import { type Move, nextMove } from './moves.ts';
import { CONTROLS, observe, type Observation } from './observe.ts';
import { properties, type Step } from './properties.ts';
import { Random } from './random.ts';

/** Milliseconds. A page that still asks the API then is looked at as it is. */
const LONGEST_WAIT = 8_000;
/** A page is quiet when it hasn't changed for this long, in milliseconds. */
const QUIET = 120;
/** Milliseconds that a control has to become reachable. An open menu covers the page, and its card form. */
const REACH = 1_500;
/** Milliseconds that a page has to load, on a busy machine. */
const LONGEST_LOAD = 60_000;

/** Requests that no press waits for: their failure changes nothing that the user sees. */
const UNSEEN = /\/api\/(sessions|end-session|page-errors)$|\/fonts?\/|\.(woff2|svg|png|webp|ico)$|\/assets\//;

export interface Violation {
  property: string;
  found: string;
}

/** Explores the product in one browser as one user, and checks the properties after each step. */
export class Explorer {
  readonly moves: Move[] = [];
  readonly states = new Set<string>();
  readonly #context: BrowserContext;
  readonly #world: World;
  readonly #account: Account;
  readonly #tabs: Page[] = [];
  readonly #errors: string[] = [];
  readonly #failed: string[] = [];
  #current = 0;
  #running = new Set<Request>();
  #networkIsOn = true;
  #hasLostNetwork = false;
  #webhooksAreOn = true;
  #isSettled = true;
  #wasSignedIn = false;
  #freshTab: Page | undefined;
  /** How the page looked after the newest press of each control, by its label. */
  readonly #answered = new Map<string, string | undefined>();
  /** How the page looked after the newest Enter, which sends a form as a press does. */
  #entered: string | undefined;
  /** Texts that the user has typed, each with its page. There they aren't left from a session. */
  readonly #typed = new Set<string>();
  /** Texts that the user has typed since the session ended. One page takes them over from another. */
  readonly #typedSince = new Set<string>();

  constructor(context: BrowserContext, world: World, account: Account) {
    this.#context = context;
    this.#world = world;
    this.#account = account;
    context.setDefaultTimeout(REACH);
    context.setDefaultNavigationTimeout(LONGEST_LOAD);
    context.on('page', (page) => void this.#take(page));
    context.on('request', (request) => this.#running.add(request));
    context.on('requestfinished', (request) => this.#running.delete(request));
    context.on('requestfailed', (request) => {
      this.#running.delete(request);
      // A navigation aborts what the page before had asked.
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') this.#fail(request, 'no answer');
    });
    context.on('response', (response) => {
      if (response.status() >= 400) this.#fail(response.request(), String(response.status()));
    });
  }

  #fail(request: Request, answer: string): void {
    const { pathname, origin } = new URL(request.url());
    if (UNSEEN.test(pathname) || request.isNavigationRequest()) return;
    // Stripe’s and the providers’ own pages are stand-ins.
    if (origin === this.#world.origin || pathname === '/')
      this.#failed.push(`${request.method()} ${pathname}: ${answer}`);
  }

  async #take(page: Page): Promise<void> {
    this.#tabs.push(page);
    page.on('pageerror', (error) => this.#errors.push(error.message));
    page.on('console', (message) => {
      // The browser reports each failed request itself.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        this.#errors.push(message.text());
      }
    });
    page.on('close', () => this.#tabs.splice(this.#tabs.indexOf(page), 1));
    await observeLayoutShifts(page);
  }

  get #page(): Page {
    const page = this.#tabs[Math.min(this.#current, this.#tabs.length - 1)];
    if (!page) throw new Error('All tabs are closed.');
    return page;
  }

  /** Opens the first page. `signedIn`: the browser has a session. */
  async start(path: string, signedIn: boolean): Promise<void> {
    this.#wasSignedIn = signedIn;
    const page = await this.#context.newPage();
    await page.goto(path);
    this.#freshTab = page;
    await this.#quiet();
  }

  /** Makes this number of moves, or the given ones, until a property is broken or a move can't be made. */
  async explore(
    chosen: readonly Move[] | { seed: number; steps: number; paths: readonly string[] },
  ): Promise<Violation[]> {
    const random = new Random('seed' in chosen ? chosen.seed : 0);
    const steps = 'seed' in chosen ? chosen.steps : chosen.length;
    try {
      for (let step = 0; step < steps; step += 1) {
        const before = await observe(this.#page, this.#world.origin);
        const move =
          'seed' in chosen ? await this.#choose(before, random, chosen.paths) : (chosen[step] as Move);
        const violations = await this.#step(move, before);
        if (violations.length > 0) return violations;
      }
    } catch (error) {
      return [{ property: 'the page and the world answer', found: String(error) }];
    }
    return [];
  }

  async #choose(seen: Observation | undefined, random: Random, paths: readonly string[]): Promise<Move> {
    // Outside our site, a person looks around a little and comes back.
    if (!seen?.isOurs && random.below(3) > 0) return { do: 'open', path: random.of(paths) };
    const { email, password } = this.#account;
    const mail = await this.#newestMail();
    return nextMove(
      {
        controls: seen?.controls ?? [],
        tabs: this.#tabs.length,
        networkIsOn: this.#networkIsOn,
        webhooksAreOn: this.#webhooksAreOn,
        canPay:
          (await cardForm(this.#page)
            .getByLabel('Card number')
            .count()
            .catch(() => 0)) > 0,
        code: mail && /\b\d{6}\b/.test(mail.text) ? codeIn(mail.text) : undefined,
        email,
        password,
        paths,
        cards: Object.values(CARDS),
      },
      random,
    );
  }

  async #step(move: Move, before: Observation | undefined): Promise<Violation[]> {
    const answered = move.do === 'press' ? this.#answered.get(move.label) : undefined;
    this.moves.push(move);
    this.#errors.length = 0;
    this.#failed.length = 0;
    const tabs = this.#tabs.length;
    const page = this.#page;
    const done = await this.#make(move).then(
      () => true,
      // Controls come and go meanwhile: what can't be reached isn't pressed.
      () => false,
    );
    await this.#quiet();
    const after = await observe(this.#page, this.#world.origin);
    if (after) this.states.add(`${pathOf(after)} ${after.controls.map(({ label }) => label).join()}`);
    const isSignedIn = /LastAuthUser/.test(after?.stored ?? '');
    if (isSignedIn) {
      this.#wasSignedIn = true;
      this.#typedSince.clear();
    }
    if (move.do === 'type') {
      this.#typed.add(`${pathOf(before)} ${move.text}`);
      if (!isSignedIn) this.#typedSince.add(move.text);
    }
    if (move.do === 'press') this.#answered.set(move.label, after?.looks);
    if (move.do === 'key' && move.key === 'Enter') this.#entered = after?.looks;
    const control = before?.controls.find(({ index }) => move.do === 'press' && index === move.control);
    const step: Step = {
      move,
      control,
      before,
      after,
      errors: [...this.#errors],
      failed: [...this.#failed],
      isAnswered:
        !done ||
        control?.isSilent === true ||
        // The answer to the first press stands.
        (answered !== undefined && answered === before?.looks) ||
        (control?.isSubmit === true && this.#entered !== undefined && this.#entered === before?.looks) ||
        this.#tabs.length !== tabs ||
        page !== this.#page ||
        before?.looks !== after?.looks ||
        after?.pointsAtError === true ||
        before?.path !== after?.path ||
        // A link to the page that is open.
        control?.kind === 'link',
      networkIsOn: this.#networkIsOn,
      hasLostNetwork: this.#hasLostNetwork,
      isFresh: this.#freshTab === this.#page,
      isSettled: this.#isSettled,
      stripe: await this.#stripe(),
      endedSession:
        this.#wasSignedIn && !isSignedIn && after?.isOurs
          ? [this.#account.email, this.#account.id].filter(
              (text) => !this.#typed.has(`${pathOf(after)} ${text}`) && !this.#typedSince.has(text),
            )
          : [],
    };
    return Object.entries(properties).flatMap(([property, check]) => {
      const found = check(step);
      return found === undefined ? [] : [{ property, found }];
    });
  }

  async #make(move: Move): Promise<void> {
    const page = this.#page;
    switch (move.do) {
      case 'press':
        this.#freshTab = undefined;
        return page.locator(CONTROLS).nth(move.control).click();
      case 'type':
        return page.locator(CONTROLS).nth(move.control).fill(move.text);
      case 'key':
        this.#freshTab = undefined;
        return page.keyboard.press(move.key);
      case 'open':
        await page.goto(move.path);
        break;
      case 'reload':
        await page.reload();
        break;
      case 'back':
        await page.goBack();
        return;
      case 'forward':
        await page.goForward();
        return;
      case 'new-tab': {
        const opened = await this.#context.newPage();
        this.#current = this.#tabs.length - 1;
        await opened.goto(move.path);
        break;
      }
      case 'tab':
        this.#current = move.tab;
        this.#freshTab = undefined;
        return this.#page.bringToFront();
      case 'close-tab':
        await page.close();
        this.#current = 0;
        this.#freshTab = undefined;
        return;
      case 'follow-mail': {
        const [link] = /https?:\/\/\S+/.exec((await this.#newestMail())?.text ?? '') ?? [];
        if (link === undefined) return;
        await page.goto(link.replaceAll(/[.)>]+$/g, ''));
        break;
      }
      case 'pay':
        this.#freshTab = undefined;
        return pay(page, move.card);
      case 'resize':
        return page.setViewportSize({ width: move.width, height: 800 });
      case 'network':
        this.#networkIsOn = move.on;
        this.#hasLostNetwork ||= !move.on;
        return this.#context.setOffline(!move.on);
      case 'webhooks':
        this.#webhooksAreOn = move.on;
        if (!move.on) this.#isSettled = false;
        this.#world.process.send({ webhooks: move.on });
        return;
      case 'clock':
        this.#freshTab = undefined;
        await this.#world.advance(move.advance);
        // Every quarter of an hour, the events that were missed are read from Stripe's list.
        if (this.#webhooksAreOn) this.#isSettled = true;
        return;
    }
    // Another tab may still have a document from before.
    this.#hasLostNetwork &&= !this.#networkIsOn || this.#tabs.length > 1;
    this.#freshTab = this.#networkIsOn ? this.#page : undefined;
  }

  /** Waits until no request runs and the page stays as it is. */
  async #quiet(): Promise<void> {
    const until = Date.now() + LONGEST_WAIT;
    let looks: string | undefined;
    while (Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, QUIET));
      // The browser's own pages, empty or about a failed load, can't be read.
      if (!this.#page.url().startsWith('http')) return;
      const now = (await observe(this.#page, this.#world.origin))?.looks;
      // Cognito and Stripe answer at ports of their own.
      const running = [...this.#running].filter((request) => new URL(request.url()).hostname === 'localhost');
      if (now !== undefined && now === looks && running.length === 0) return;
      looks = now;
    }
    this.#running.clear();
  }

  async #newestMail(): Promise<Message | undefined> {
    const mails = await this.#world.get<Message[]>('/__local/mail');
    return mails.find(({ to }) => to === this.#account.email);
  }

  async #stripe(): Promise<Step['stripe']> {
    const nothing = { hasPaid: false, isPaying: false, endsAtPeriodEnd: false };
    const customer = (await this.#world.rowOf(this.#account.id))?.stripe_customer_id;
    if (customer === undefined) return nothing;
    const { data: invoices } = await this.#world.stripe.invoices.list({ customer, limit: 100 });
    const { data: active } = await this.#world.stripe.subscriptions.list({ customer, status: 'active' });
    const paid = new Set(
      invoices
        .filter(({ status }) => status === 'paid')
        .map(({ parent }) => parent?.subscription_details?.subscription),
    );
    const paying = active.filter(({ id }) => paid.has(id));
    return {
      hasPaid: paid.size > 0,
      isPaying: paying.length > 0,
      endsAtPeriodEnd:
        paying.length > 0 && paying.every((one) => one.cancel_at_period_end || one.cancel_at !== null),
    };
  }
}

const pathOf = (seen: Observation | undefined): string | undefined => seen?.path.split(/[?#]/)[0];
