import type Stripe from 'stripe';
import type { KeptSecret } from './kept-secret.ts';

// "No valid API key provided" (docs.stripe.com/api/errors): the key is unknown, expired or deleted.
const UNAUTHORIZED = 401;

/**
 * An HTTP client for Stripe's library that sends the current secret key. If Stripe refuses the key, the
 * secret is read again, and the request is sent once more with the new key. Stripe refuses a key before it
 * does anything, so no request has its effect twice.
 */
export function withRotatingKey(client: Stripe.HttpClient, secret: KeptSecret): Stripe.HttpClient {
  const readAgain = secret.rereader();
  return {
    getClientName: () => client.getClientName(),
    async makeRequest(host, port, path, method, headers, ...rest) {
      const send = (key: string): Promise<Stripe.HttpClientResponse> =>
        client.makeRequest(host, port, path, method, { ...headers, Authorization: `Bearer ${key}` }, ...rest);
      const refusedKey = secret.current.secretKey;
      const response = await send(refusedKey);
      if (response.getStatusCode() !== UNAUTHORIZED) return response;
      // Another request may have read it meanwhile.
      if (secret.current.secretKey === refusedKey) await readAgain();
      if (secret.current.secretKey === refusedKey) return response;
      // Reads the body to its end, so that the connection can be used again.
      await response.toJSON().catch(() => undefined);
      return send(secret.current.secretKey);
    },
  };
}
