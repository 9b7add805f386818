import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import type { Inbox } from '../../base/inbox.ts';
import type { Store } from '../../base/store.ts';
import { answerDiscovery, discoveryPath } from './discovery.ts';
import { CognitoError } from './errors.ts';
import { answerHosted, isHosted } from './hosted/answer-hosted.ts';
import type { GoogleAddresses } from './hosted/identity-provider.ts';
import { assemble, type Parts } from './parts.ts';
import { answerCall, answerPreflight } from './protocol.ts';
import type { Invoke } from './triggers.ts';

export interface CognitoOptions {
  clock: Clock;
  store: Store;
  mail: Inbox;
  /** Origin the service is reached at, e.g. http://localhost:3001: a pool's issuer is `${origin}/${poolId}`. */
  origin: string;
  /** Rejects with the `{errorType, errorMessage}` that the function threw. */
  invoke: Invoke;
  /** Where Google answers. Without it nobody signs in by Google. */
  google?: GoogleAddresses;
}

/** Cognito user pools on one machine, for Amplify in a browser and for the AWS SDK. */
export class CognitoService {
  readonly #parts: Parts;

  constructor(options: CognitoOptions) {
    this.#parts = assemble(options);
  }

  /** `properties`: resolved properties of an AWS::Cognito::UserPool. Throws where one can't be honoured here. */
  putUserPool(id: string, properties: Record<string, unknown>): void {
    this.#parts.pools.put(id, properties);
  }

  /** `properties`: resolved properties of an AWS::Cognito::UserPoolClient. Its pool has been put before. */
  putUserPoolClient(poolId: string, clientId: string, properties: Record<string, unknown>): void {
    this.#parts.pools.putClient(poolId, clientId, properties);
  }

  /** `properties`: resolved properties of an AWS::Cognito::UserPoolDomain, which is served at this service's own origin. */
  putUserPoolDomain(poolId: string, properties: Record<string, unknown>): void {
    this.#parts.pools.putDomain(poolId, properties);
  }

  /**
   * `properties`: resolved properties of an AWS::Cognito::UserPoolIdentityProvider. Clients that name it are put
   * afterwards.
   */
  putIdentityProvider(poolId: string, properties: Record<string, unknown>): void {
    this.#parts.pools.putProvider(poolId, properties);
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const [pathname = '/'] = (request.url ?? '/').split('?');
    const discovery = discoveryPath(pathname);
    if (isHosted(pathname)) void answerHosted(this.#parts, pathname, request, response);
    else if (request.method === 'OPTIONS') answerPreflight(response);
    else if (request.method === 'POST' && pathname === '/') void answerCall(this.#parts, request, response);
    else if (request.method === 'GET' && discovery) this.#discover(discovery, response);
    else response.writeHead(404).end();
  };

  /** In the order they signed up. */
  listUsers(poolId: string): { username: string; email: string; status: string; createdAt: string }[] {
    const { pools, users } = this.#parts;
    return users.list(pools.pool(poolId)).map(({ username, attributes, status, createdAt }) => ({
      username,
      email: attributes['email'] ?? '',
      status,
      createdAt,
    }));
  }

  #discover(
    { poolId, document }: NonNullable<ReturnType<typeof discoveryPath>>,
    response: ServerResponse,
  ): void {
    try {
      answerDiscovery(this.#parts.pools.pool(poolId), document, response);
    } catch (error) {
      if (!(error instanceof CognitoError)) throw error;
      response.writeHead(404).end();
    }
  }
}
