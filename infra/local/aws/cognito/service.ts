import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BrowserSession, listAccounts, type ListedUser, signInAs } from './accounts.ts';
import { answerDiscovery, discoveryPath } from './discovery.ts';
import { CognitoError } from './errors.ts';
import { answerHosted, isHosted } from './hosted/answer-hosted.ts';
import { assemble, type CognitoOptions, type Parts } from './parts.ts';
import type { Pools } from './pools.ts';
import { answerCall, answerPreflight } from './protocol.ts';

/** A stand-in for Cognito user pools, for unmodified Amplify and the AWS SDK. */
export class CognitoService {
  readonly #parts: Parts;
  readonly pools: Pools;
  /** The `X-Amz-Target`s, in lower case, that the firewall allows without AWS credentials. */
  allowedTargets: RegExp | undefined;

  constructor(options: CognitoOptions) {
    this.#parts = assemble(options);
    this.pools = this.#parts.pools;
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
    return listAccounts(this.#parts, this.pools.pool(poolId));
  }

  signInAs(poolId: string, sub: string): Promise<BrowserSession | undefined> {
    return signInAs(this.#parts, this.pools.pool(poolId), sub);
  }

  async #discover(
    { poolId, document }: NonNullable<ReturnType<typeof discoveryPath>>,
    response: ServerResponse,
  ): Promise<void> {
    try {
      await answerDiscovery(this.pools.pool(poolId), document, response);
    } catch (error) {
      if (!(error instanceof CognitoError)) throw error;
      response.writeHead(404).end();
    }
  }
}
