import { publicJwk } from './id-token.ts';
import { json } from '../runtime/json-answer.ts';
import type { Step } from './step.ts';

/** The public key that verifies ID tokens. */
export const jwks: Step = async ({ key }) =>
  json(200, { keys: [publicJwk(await key.publicKey())] }, { 'cache-control': 'public, max-age=3600' });
