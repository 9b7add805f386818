import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { isBrokenOff, readBody } from '../../base/http-body.ts';
import type { Store } from '../../base/store.ts';
import type { Account } from './accounts.ts';
import { type Answer, type ProviderRequest, json } from './http.ts';
import { GitHub } from './github.ts';
import { Google } from './google.ts';
import { isStandInKey, standInKeys, type StandInKey, standIns } from './providers.ts';

export interface ProviderClient {
  clientId: string;
  clientSecret: string;
}

export interface IdentityProvidersOptions {
  clock: Clock;
  store: Store;
  /** Origin of the stand-in, e.g. http://localhost:3003 */
  origin: string;
  /** Each provider knows one client. */
  clients: Record<StandInKey, ProviderClient>;
}

/** A provider's stand-in, which answers below its key, such as `/google`. */
interface StandIn {
  accounts(): Account[];
  answer(request: ProviderRequest): Answer | Promise<Answer> | undefined;
}

/** An account as the console shows it. */
export interface ListedAccount extends Account {
  provider: string;
}

// Far more than any provider accepts.
const LARGEST_BODY = 64 * 1024;

/**
 * Stand-ins for Google and GitHub: Google at `/google`, github.com at `/github`, api.github.com at
 * `/github-api`. A page asks which account to use. All state is in the store.
 */
export class IdentityProviders {
  readonly #origin: string;
  readonly #github: GitHub;
  readonly #standIns: Record<StandInKey, StandIn>;

  constructor({ clients, clock, origin, store }: IdentityProvidersOptions) {
    this.#origin = origin;
    this.#github = new GitHub({ clock, store, client: clients.github });
    this.#standIns = {
      google: new Google({ clock, store, client: clients.google }),
      github: this.#github,
    };
  }

  /** All accounts, in the order of the providers. */
  listAccounts(): ListedAccount[] {
    return standInKeys.flatMap((key) =>
      this.#standIns[key].accounts().map((account) => ({ ...account, provider: standIns[key] })),
    );
  }

  /** Request listener for the stand-in's own port. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.#respond(request)
      .then(({ status, headers, body }) => {
        response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
      })
      .catch((error: unknown) => {
        if (!isBrokenOff(request)) console.error(error);
        response.destroy();
      });
  };

  async #respond(request: IncomingMessage): Promise<Answer> {
    const parsed = await this.#read(request);
    return parsed === undefined ? tooLarge : ((await this.#answer(parsed)) ?? notFound);
  }

  async #answer(request: ProviderRequest): Promise<Answer | undefined> {
    const [, prefix = '', ...rest] = request.path.split('/');
    const inside = { ...request, path: `/${rest.join('/')}` };
    switch (prefix) {
      case 'github-api':
        return this.#github.answerApi(inside);
      case 'picker.css':
        return {
          status: 200,
          headers: { 'content-type': 'text/css; charset=utf-8', 'x-content-type-options': 'nosniff' },
          body: readFileSync(new URL('picker.css', import.meta.url), 'utf8'),
        };
      default:
        return isStandInKey(prefix) ? this.#standIns[prefix].answer(inside) : undefined;
    }
  }

  async #read(request: IncomingMessage): Promise<ProviderRequest | undefined> {
    const body = await readBody(request, LARGEST_BODY);
    const url = URL.parse(request.url ?? '/', this.#origin);
    return (
      body && {
        method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
        path: url?.pathname ?? '',
        query: url?.searchParams ?? new URLSearchParams(),
        headers: request.headers,
        form: new URLSearchParams(body.toString()),
      }
    );
  }
}

const notFound = json({ message: 'Not Found' }, 404);
const tooLarge = json({ message: 'The request is too large.' }, 413);
