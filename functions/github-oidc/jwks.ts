import { publicJwk } from './id-token.ts';
import type { Step } from './issuer.ts';
import { json } from '../runtime/json-answer.ts';

/** The public key that verifies ID tokens. */
export const jwks: Step = async ({ key }) =>
  json(200, { keys: [publicJwk(await key.publicKey())] }, { 'cache-control': 'public, max-age=3600' });
