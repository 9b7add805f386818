import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { isBrokenOff, readBody } from '../../base/http-body.ts';
import type { Store } from '../../base/store.ts';
import { type Account, Accounts } from './accounts.ts';
import { Grants } from './grants.ts';
import { type ProviderAnswer, type ProviderRequest, json } from './http.ts';
import type { Provider, ProviderClient, StandIn } from './stand-in.ts';
import { standInKeys, type StandInKey, standIns } from './stand-ins.ts';

export interface IdentityProvidersOptions {
  clock: Clock;
  store: Store;
  /** Origin of the stand-in, e.g. http://localhost:3003 */
  origin: string;
  /** Fields of the client that a provider knows. @default those of its stand-in */
  clients?: Partial<Record<StandInKey, ProviderClient>>;
}

export interface ListedAccount extends Account {
  provider: string;
}

// Far more than any provider accepts.
const LARGEST_BODY = 64 * 1024;

/** The providers' stand-ins, each below its key, such as `/google`, with a page to pick the account. */
export class IdentityProviders {
  readonly #origin: string;
  readonly #running = new Map<string, { provider: Provider; standIn: StandIn }>();

  constructor({ clients = {}, clock, origin, store }: IdentityProvidersOptions) {
    this.#origin = origin;
    for (const key of standInKeys) {
      const { name, accounts: kind, create } = standIns[key];
      const provider: Provider = {
        key,
        name,
        needsName: kind.needsName,
        accounts: new Accounts({ provider: key, kind, store }),
        grants: new Grants({ provider: key, clock, store }),
      };
      const standIn = create({ clock, store, client: clients[key] ?? {}, provider });
      this.#running.set(key, { provider, standIn });
    }
  }

  /** All accounts, in the order of the providers. */
  listAccounts(): ListedAccount[] {
    return [...this.#running.values()].flatMap(({ provider: { accounts, name } }) =>
      accounts.list().map((account) => ({ ...account, provider: name })),
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

  async #respond(request: IncomingMessage): Promise<ProviderAnswer> {
    const parsed = await this.#read(request);
    return parsed === undefined ? tooLarge : ((await this.#answer(parsed)) ?? notFound);
  }

  async #answer(request: ProviderRequest): Promise<ProviderAnswer | undefined> {
    const [, prefix = '', ...rest] = request.path.split('/');
    const inside = { ...request, path: `/${rest.join('/')}` };
    if (prefix === 'picker.css') {
      return {
        status: 200,
        headers: { 'content-type': 'text/css; charset=utf-8', 'x-content-type-options': 'nosniff' },
        body: readFileSync(new URL('picker.css', import.meta.url), 'utf8'),
      };
    }
    return this.#running.get(prefix)?.standIn.answer(inside);
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
