import { readFileSync } from 'node:fs';
import { readBody } from '../base/http-body.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { RunningServices } from '../aws/services.ts';
import type { Html } from '../base/html.ts';
import type { Inbox } from '../base/inbox.ts';
import { isAddressedHere, isFromHere, isFromOwnPage } from '../base/local-callers.ts';
import type { Log } from '../base/log.ts';
import type { ConnectedStripe } from '../vendors/connect-stripe.ts';
import type { LocalOrigins } from '../stack/addresses.ts';
import type { IdentityProviders } from '../vendors/identity-providers/identity-providers.ts';
import { listAccounts } from './accounts.ts';
import { actOnMail } from './act-on-mail.ts';
import { actOnStripe } from './act-on-stripe.ts';
import { type ConsoleAnswer, json, nothingHere, refused } from './answer.ts';
import { inboxPage, messagePage } from './inbox-page.ts';
import { peoplePage } from './people-page.ts';
import { objectIn } from './json-object.ts';
import * as pages from './pages.ts';
import { whyPage } from './why-page.ts';

interface ConsoleOptions {
  clock: Clock;
  inbox: Inbox;
  log: Log;
  services: Pick<RunningServices, 'cognito' | 'dynamodb' | 'scheduler' | 'secretsManager' | 'ses'>;
  stripe: ConnectedStripe;
  providers: IdentityProviders;
  origins: LocalOrigins;
  /** Moves the whole world. Undefined if `duration` is not an ISO 8601 duration of at most a century. */
  advance(duration: string): Promise<Date | undefined>;
}

// Bytes. A duration has a few letters.
const LARGEST_BODY = 10_000;

const assetOf = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

/** `/__local`: the world's inbox, clock, payments, tables and schedules, for people and for programs. */
export class Console {
  readonly #options: ConsoleOptions;

  constructor(options: ConsoleOptions) {
    this.#options = options;
  }

  static owns(path: string): boolean {
    return /^\/__local(\/|\?|$)/.test(path);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type, body } = await this.#answer(request);
    response.writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      // A mail's own styles and images are shown; its scripts and forms don't run.
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src https: http: data:; connect-src 'self'; frame-src 'self'; form-action 'none'; frame-ancestors 'none'",
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  async #answer(request: IncomingMessage): Promise<ConsoleAnswer> {
    if (!isAddressedHere(request)) return refused(403, 'This console answers only on localhost.');
    const [path = ''] = (request.url ?? '').split('?');
    const names = path.split('/').slice(2).map(decoded);
    switch (request.method) {
      case 'GET':
      case 'HEAD':
        return (await this.#read(names)) ?? (await this.#page(names)) ?? nothingHere();
      case 'POST':
        if (!isFromHere(request)) return refused(403, 'Another site may not move this world.');
        if (isSignIn(names) && !isFromOwnPage(request)) {
          return refused(403, 'Only the page /__local/people can sign users in.');
        }
        return this.#act(names, (await readBody(request, LARGEST_BODY))?.toString());
      default:
        return refused(405, 'This console takes GET and POST.');
    }
  }

  /** JSON for programs, and the console's own files. */
  async #read(names: readonly string[]): Promise<ConsoleAnswer | undefined> {
    const { clock, inbox, services, stripe } = this.#options;
    const [what, name = ''] = names;
    switch (what === 'tables' ? what : names.join('/')) {
      case 'mail':
        return json(inbox.list());
      case 'suppressed':
        return json(services.ses.suppressed());
      case 'clock':
        return json({ now: clock.now().toISOString() });
      case 'accounts':
        return json(await listAccounts(services, stripe));
      case 'endpoints':
        return json(this.#endpoints());
      case 'schedules':
        return json(services.scheduler.list());
      case 'stripe/events':
        return json(stripe.kind === 'stand-in' ? stripe.service.listEvents() : []);
      case 'tables': {
        if (names.length === 1) return json(services.dynamodb.names());
        const rows = names.length === 2 ? await services.dynamodb.rows(name) : undefined;
        return rows && json(rows);
      }
      case 'browser.js':
        return { status: 200, type: 'text/javascript', body: this.#browserScript() };
      case 'console.css':
        return { status: 200, type: 'text/css', body: assetOf('console.css') };
      case 'console.js':
        return { status: 200, type: 'text/javascript', body: assetOf('console.js') };
      default:
        return undefined;
    }
  }

  /**
   * Origins for programs. AWS's origins are for the SDK's variables, such as `AWS_ENDPOINT_URL_DYNAMODB`.
   * `stripe`: null in Stripe's test mode. `stage`: the stage in the mark of our objects at Stripe.
   */
  #endpoints(): Record<'cognito' | 'dynamodb' | 'providers' | 'secretsManager' | 'ses' | 'stage', string> & {
    stripe: string | null;
  } {
    const { origins, services, stripe } = this.#options;
    return {
      stage: stripe.stage,
      cognito: origins.cognito,
      dynamodb: services.dynamodb.endpoint,
      providers: origins.providers,
      secretsManager: services.secretsManager.endpoint,
      ses: services.ses.endpoint,
      stripe: stripe.kind === 'stand-in' ? origins.stripe : null,
    };
  }

  /** The first script of every page. In place of Stripe's own it has the stand-in's. */
  #browserScript(): string {
    const { stripe } = this.#options;
    // Amplify warns on each page that the pool's endpoint is not AWS's, which is intended here.
    const quiet = "window.LOG_LEVEL = 'ERROR';";
    return stripe.kind === 'stand-in' ? `${quiet}\n${stripe.service.browserScript()}` : quiet;
  }

  async #act(names: readonly string[], text: string | undefined): Promise<ConsoleAnswer> {
    const { services, stripe } = this.#options;
    const [what, name = ''] = names;
    if (text === undefined) return refused(413, 'That is too long.');
    if (what === 'clock' && names.length === 1) return this.#advance(text);
    if (isSignIn(names)) {
      const session = await services.cognito.signInAs(name);
      if (!session) return refused(404, `There is no account ${name}.`);
      return 'refused' in session ? refused(409, session.refused) : json(session);
    }
    if (what === 'schedules' && names.length === 2) {
      const input = text === '' ? undefined : objectIn(text);
      if (input === null) return refused(400, 'Send nothing, or the event of the function as JSON.');
      const outcome = await services.scheduler.fire(name, input);
      if (!outcome) return refused(404, `There is no schedule ${name}.`);
      return outcome.kind === 'succeeded'
        ? json(outcome.result)
        : json({ error: `${outcome.errorType}: ${outcome.errorMessage}` }, 502);
    }
    const onMail = actOnMail(names, this.#options.inbox, services.ses);
    if (onMail) return onMail;
    const onStripe =
      what === 'stripe' && stripe.kind === 'stand-in'
        ? await actOnStripe(names, text, stripe.service)
        : undefined;
    return onStripe ?? nothingHere();
  }

  async #advance(text: string): Promise<ConsoleAnswer> {
    const duration = durationIn(text);
    const now = duration === undefined ? undefined : await this.#options.advance(duration);
    return now
      ? json({ now: now.toISOString() })
      : refused(
          400,
          'Send {"advance": "P40D"}: an ISO 8601 duration, like PT1H, P1M or P1Y2M3DT4H, of a century at most.',
        );
  }

  /** HTML for people. */
  async #page(names: readonly string[]): Promise<ConsoleAnswer | undefined> {
    const { inbox, log, origins, providers, services, stripe } = this.#options;
    const [section = '', name] = names.filter((each) => each !== '');
    if (name !== undefined && section !== 'inbox' && section !== 'why') return undefined;
    switch (section) {
      case '':
        return this.#show(
          '/__local',
          'Overview',
          pages.overview({
            origin: origins.site,
            mail: inbox.list(),
            people: services.cognito.listUsers().length,
            payments: this.#payments(),
            schedules: services.scheduler.list(),
          }),
        );
      case 'inbox': {
        const messages = inbox.list();
        if (name === undefined) {
          return this.#show(
            '/__local/inbox',
            'Inbox',
            inboxPage(messages, services.ses.suppressed()),
            '/__local/mail',
          );
        }
        const message = messages.find(({ id }) => id === name);
        return message && this.#show('/__local/inbox', message.subject, messagePage(message));
      }
      case 'payments':
        return this.#show('/__local/payments', 'Payments', pages.paymentsPage(this.#payments()));
      case 'people':
        return this.#show(
          '/__local/people',
          'People',
          peoplePage(await listAccounts(services, stripe), providers.listAccounts()),
        );
      case 'why': {
        const user = services.cognito.listUsers().find(({ sub }) => sub === name);
        return user && this.#show('/__local/people', user.email, await whyPage(user.sub, origins.site));
      }
      case 'rows':
        return this.#show('/__local/rows', 'Tables', pages.tables(await this.#tables()));
      case 'timetable':
        return this.#show('/__local/timetable', 'Schedules', pages.timetable(services.scheduler.list()));
      case 'logs':
        return this.#show('/__local/logs', 'Logs', pages.logs(log.list()));
      default:
        return undefined;
    }
  }

  #tables(): Promise<pages.ShownTable[]> {
    const { dynamodb } = this.#options.services;
    return Promise.all(
      dynamodb.names().map(async (name) => ({
        name,
        keys: dynamodb.keysOf(name),
        rows: (await dynamodb.rows(name, 200)) ?? [],
      })),
    );
  }

  #payments(): pages.Payments {
    const { stripe } = this.#options;
    if (stripe.kind === 'real') return stripe;
    const { service } = stripe;
    return {
      kind: 'stand-in',
      customers: service.listCustomers().toReversed(),
      subscriptions: service.listSubscriptions().toReversed(),
      events: service.listEvents(),
    };
  }

  #show(section: pages.Section, title: string, body: Html, watch?: string): ConsoleAnswer {
    const now = this.#options.clock.now();
    return {
      status: 200,
      type: 'text/html',
      body: pages.page({ section, title, now, body, ...(watch !== undefined && { watch }) }),
    };
  }
}

/** `accounts/<sub>/sign-in` */
const isSignIn = ([what, , action]: readonly string[]): boolean =>
  what === 'accounts' && action === 'sign-in';

function durationIn(text: string): string | undefined {
  const advance = objectIn(text)?.['advance'];
  return typeof advance === 'string' ? advance : undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
