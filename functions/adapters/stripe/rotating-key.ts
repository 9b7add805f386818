import type Stripe from 'stripe';
import { log } from '../../runtime/log.ts';
import type { CachedSecret } from './cached-secret.ts';

// "No valid API key provided" (docs.stripe.com/api/errors): the key is unknown, expired or deleted.
const UNAUTHORIZED = 401;
// "The API key doesn't have permissions to perform the request" (the same page): a restricted key.
const FORBIDDEN = 403;

/**
 * An HTTP client for Stripe's library that sends the current secret key. If Stripe refuses the key, which it
 * does before anything else, the secret is read again, and the request is sent once more. A refusal of the
 * current key is logged, which raises an alarm. `pace`: waits until the next request may be sent.
 */
export function withRotatingKey(
  client: Stripe.HttpClient,
  secret: CachedSecret,
  pace: () => Promise<void> = async () => {},
): Stripe.HttpClient {
  const readAgain = secret.rereader();
  return {
    getClientName: () => client.getClientName(),
    async makeRequest(host, port, path, method, headers, ...rest) {
      const send = async (key: string): Promise<Stripe.HttpClientResponse> => {
        await pace();
        const authorized = { ...headers, Authorization: `Bearer ${key}` };
        return client.makeRequest(host, port, path, method, authorized, ...rest);
      };
      const refusedKey = secret.current.secretKey;
      const response = await send(refusedKey);
      if (response.getStatusCode() !== UNAUTHORIZED) return reported(response);
      // Another request may have read the secret meanwhile.
      if (secret.current.secretKey === refusedKey) await readAgain();
      if (secret.current.secretKey === refusedKey) return reported(response);
      // The body is read to its end, so that the connection can be reused.
      await response.toJSON().catch(() => undefined);
      return reported(await send(secret.current.secretKey));
    },
  };
}

function reported(response: Stripe.HttpClientResponse): Stripe.HttpClientResponse {
  const status = response.getStatusCode();
  if (status === UNAUTHORIZED || status === FORBIDDEN) log.error('stripe-key-refused', { status });
  return response;
}
