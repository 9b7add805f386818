import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import type { Inbox } from '../../base/inbox.ts';
import type { Store } from '../../base/store.ts';
import { type BrowserSession, listAccounts, type ListedUser, signInAs } from './accounts.ts';
import { answerDiscovery, discoveryPath } from './discovery.ts';
import { CognitoError } from './errors.ts';
import { answerHosted, isHosted } from './hosted/answer-hosted.ts';
import type { KnownProvider } from '../../vendors/identity-providers/known-provider.ts';
import { assemble, type Parts } from './parts.ts';
import { answerCall, answerPreflight } from './protocol.ts';
import type { Invoke } from './triggers.ts';

export interface CognitoOptions {
  clock: Clock;
  store: Store;
  mail: Inbox;
  /** Origin of the service, e.g. http://localhost:3001. A pool's issuer is `${origin}/${poolId}`. */
  origin: string;
  /** Rejects with the `{errorType, errorMessage}` that the function threw. */
  invoke: Invoke;
  /** The identity providers that Cognito knows, by their type. */
  knownProviders: Readonly<Record<string, KnownProvider>>;
}

/** A stand-in for Cognito user pools, for unmodified Amplify and the AWS SDK. */
export class CognitoService {
  readonly #parts: Parts;
  /** The `X-Amz-Target`s, in lower case, that the firewall allows without AWS credentials. */
  allowedTargets: RegExp | undefined;

  constructor(options: CognitoOptions) {
    this.#parts = assemble(options);
  }

  /** `properties`: resolved properties of an AWS::Cognito::UserPool. Throws if a property isn't supported. */
  putUserPool(id: string, properties: Record<string, unknown>): void {
    this.#parts.pools.put(id, properties);
  }

  /** `properties`: resolved properties of an AWS::Cognito::UserPoolClient. Put its pool first. */
  putUserPoolClient(poolId: string, clientId: string, properties: Record<string, unknown>): void {
    this.#parts.pools.putClient(poolId, clientId, properties);
  }

  /** `properties`: resolved, of an AWS::Cognito::UserPoolDomain. The domain is served at this origin. */
  putUserPoolDomain(poolId: string, properties: Record<string, unknown>): void {
    this.#parts.pools.putDomain(poolId, properties);
  }

  /** `properties`: resolved, of an AWS::Cognito::UserPoolIdentityProvider. Put it before its clients. */
  putIdentityProvider(poolId: string, properties: Record<string, unknown>): void {
    this.#parts.pools.putProvider(poolId, properties);
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const [pathname = '/'] = (request.url ?? '/').split('?');
    const discovery = discoveryPath(pathname);
    if (isHosted(pathname)) void answerHosted(this.#parts, pathname, request, response);
    else if (request.method === 'OPTIONS') answerPreflight(response);
    else if (request.method === 'POST' && pathname === '/')
      void answerCall(this.#parts, request, response, this.allowedTargets);
    else if (request.method === 'GET' && discovery) void this.#discover(discovery, response);
    else response.writeHead(404).end();
  };

  /** In the order of sign-up. */
  listUsers(poolId: string): ListedUser[] {
    return listAccounts(this.#parts, this.#parts.pools.pool(poolId));
  }

  signInAs(poolId: string, sub: string): Promise<BrowserSession | undefined> {
    return signInAs(this.#parts, this.#parts.pools.pool(poolId), sub);
  }

  async #discover(
    { poolId, document }: NonNullable<ReturnType<typeof discoveryPath>>,
    response: ServerResponse,
  ): Promise<void> {
    try {
      await answerDiscovery(this.#parts.pools.pool(poolId), document, response);
    } catch (error) {
      if (!(error instanceof CognitoError)) throw error;
      response.writeHead(404).end();
    }
  }
}
