import { isRegistered } from '../../schemas/config/relay-address.ts';
import { endpoint } from '../../schemas/routes/relay-code.ts';
import { appCodes } from '../adapters/tables.ts';
import { hashOfAppCode, newAppCode } from '../apps/app-code.ts';
import { refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

// Seconds. A person may have to type it. Cognito's own code lives five minutes.
const LIFETIME = 240;

/** Keeps Cognito's code, which only the app's verifier can redeem, and answers with a short code for it. */
export const handler = route(
  endpoint,
  { appCodes, addresses: (of: { RELAY_ADDRESSES: string }) => of.RELAY_ADDRESSES.split(' ') },
  async ({ code: cognito_code, redirect_uri, code_challenge }, { now }, { appCodes: codes, addresses }) => {
    if (!isRegistered(redirect_uri, addresses)) throw refusal(endpoint, 'address-not-registered');
    const code = newAppCode();
    const item = {
      code_hash: hashOfAppCode(code),
      cognito_code,
      redirect_uri,
      code_challenge,
      expires_at: Math.floor(now.getTime() / 1000) + LIFETIME,
    };
    if (!(await codes.add(item))) throw new Error('A new code exists already.');
    return { code };
  },
);
