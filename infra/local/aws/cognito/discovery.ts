import type { ServerResponse } from 'node:http';
import { publicJwk } from './jwt.ts';
import type { UserPool } from './pools.ts';
import { crossOrigin } from './protocol.ts';

/** The documents that a pool publishes for verifying its tokens. */
const documents = {
  'jwks.json': async (pool: UserPool) => ({ keys: [await publicJwk(pool)] }),
  'openid-configuration': (pool: UserPool) => ({
    id_token_signing_alg_values_supported: ['RS256'],
    issuer: pool.issuer,
    jwks_uri: `${pool.issuer}/.well-known/jwks.json`,
    response_types_supported: ['code', 'token'],
    scopes_supported: ['openid', 'email', 'phone', 'profile'],
    subject_types_supported: ['public'],
  }),
} as const;

type DiscoveryDocument = keyof typeof documents;

const PATH = /^\/([\w-]+)\/\.well-known\/(jwks\.json|openid-configuration)$/;

export function discoveryPath(path: string): { poolId: string; document: DiscoveryDocument } | undefined {
  const [, poolId, document] = PATH.exec(path) ?? [];
  return poolId === undefined ? undefined : { poolId, document: document as DiscoveryDocument };
}

export async function answerDiscovery(
  pool: UserPool,
  document: DiscoveryDocument,
  response: ServerResponse,
): Promise<void> {
  const body = JSON.stringify(await documents[document](pool));
  response.writeHead(200, { ...crossOrigin, 'content-type': 'application/json' }).end(body);
}
