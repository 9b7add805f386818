import type { IncomingHttpHeaders } from 'node:http';
import { invalid, noKey, StripeRefusal, unknownRoute, wrongKey, type ErrorBody } from './errors.ts';
import { expand } from './expand.ts';
import { list, text } from './fields.ts';
import { decodeForm, type Form } from './form.ts';
import { fingerprintOf, storedResponse } from './idempotency.ts';
import { newId } from './ids.ts';
import { API_VERSION, type Ledger } from './ledger.ts';
import { RecordedRefusal, type Route } from './route.ts';
import { catalogueRoutes } from './routes/catalogue.ts';
import { checkoutSessionRoutes } from './routes/checkout-sessions.ts';
import { customerRoutes } from './routes/customers.ts';
import { eventRoutes } from './routes/events.ts';
import { invoiceRoutes } from './routes/invoices.ts';
import { paymentMethodRoutes } from './routes/payment-methods.ts';
import { paymentRoutes } from './routes/payments.ts';
import { portalRoutes } from './routes/portal.ts';
import { subscriptionRoutes } from './routes/subscriptions.ts';

const routes: Route[] = [
  ...customerRoutes,
  ...catalogueRoutes,
  ...checkoutSessionRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...paymentMethodRoutes,
  ...paymentRoutes,
  ...portalRoutes,
  ...eventRoutes,
];

export interface ApiRequest {
  method: string;
  /** Path and query. */
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON. */
  body: string;
}

/** Answers an API request. All effects are on disk when it returns. */
export function answerApi(ledger: Ledger, secretKey: string, request: ApiRequest): ApiAnswer {
  const requestId = newId('req', 14);
  const key = request.method === 'POST' ? headerOf(request.headers, 'idempotency-key') : undefined;
  const headers = {
    'content-type': 'application/json',
    'request-id': requestId,
    'stripe-version': API_VERSION,
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  try {
    authenticate(request.headers, secretKey);
    checkVersion(request.headers);
    const found = find(request);
    const stored = key === undefined ? undefined : storedResponse(ledger, key, identityOf(request));
    if (stored) {
      return {
        status: stored.status,
        headers: { ...headers, 'idempotent-replayed': 'true', 'original-request': stored.requestId },
        body: stored.body,
      };
    }
    const work = (): ApiAnswer => {
      const answer = run(ledger, found, request);
      if (key !== undefined) {
        const { status, body } = answer;
        ledger.idempotentResponses.put(key, {
          key,
          ...identityOf(request),
          status,
          body,
          requestId,
          at: ledger.now(),
        });
      }
      return { ...answer, headers };
    };
    return request.method === 'GET'
      ? work()
      : ledger.transaction({ id: requestId, idempotency_key: key ?? null }, work);
  } catch (error) {
    if (error instanceof StripeRefusal) return { status: error.status, headers, body: errorJson(error.body) };
    // A bug of the stand-in: printed here, and answered like an internal error of Stripe.
    console.error(error);
    return {
      status: 500,
      headers,
      body: errorJson({
        type: 'api_error',
        message: 'The local stand-in for Stripe failed; its output says why.',
      }),
    };
  }
}

export const errorJson = (error: ErrorBody): string => JSON.stringify({ error }, null, 2);

const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const identityOf = ({ url, body }: ApiRequest): { route: string; fingerprint: string } => ({
  route: url.pathname,
  fingerprint: fingerprintOf(body),
});

function authenticate(headers: IncomingHttpHeaders, secretKey: string): void {
  const [scheme = '', credentials = ''] = (headers.authorization ?? '').split(' ');
  const key =
    scheme.toLowerCase() === 'basic'
      ? (Buffer.from(credentials, 'base64').toString('utf8').split(':')[0] ?? '')
      : scheme.toLowerCase() === 'bearer'
        ? credentials
        : '';
  if (key === '') throw noKey();
  if (key !== secretKey) throw wrongKey(key);
}

/** Objects differ between versions, so any other version is refused. */
function checkVersion(headers: IncomingHttpHeaders): void {
  const version = headerOf(headers, 'stripe-version');
  if (version !== undefined && version !== API_VERSION) {
    throw invalid(`Invalid Stripe API version: ${version}. This local stand-in speaks ${API_VERSION}.`);
  }
}

function find({ method, url }: ApiRequest): { route: Route; id: string } {
  for (const route of routes) {
    const match = route.method === method ? route.pattern.exec(url.pathname) : null;
    if (match) return { route, id: match[1] ?? '' };
  }
  throw unknownRoute(method, url.pathname);
}

function run(
  ledger: Ledger,
  { route, id }: { route: Route; id: string },
  { method, url, body }: ApiRequest,
): Omit<ApiAnswer, 'headers'> {
  // GET and DELETE have their parameters in the query, POST in the body.
  const { expand: expansions, ...form }: Form = decodeForm(method === 'POST' ? body : url.search);
  const paths = expansions === undefined ? [] : list(text)(expansions, 'expand');
  const result = route.handle(ledger, id, form);
  return result instanceof RecordedRefusal
    ? { status: result.status, body: errorJson(result.body) }
    : { status: 200, body: JSON.stringify(expand(ledger, result, paths), null, 2) };
}
