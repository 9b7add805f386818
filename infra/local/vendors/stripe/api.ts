import type { IncomingHttpHeaders } from 'node:http';
import { invalid, noKey, StripeRefusal, unknownRoute, wrongKey, type ErrorBody } from './errors.ts';
import { expand } from './expand.ts';
import { ConnectionDropped, raise, type Faults } from './faults.ts';
import { list, text } from './fields.ts';
import { decodeForm, type Form } from './form.ts';
import { fingerprintOf, storedResponse } from './idempotency.ts';
import { newId } from './ids.ts';
import { API_VERSION, type Ledger, type StoredResponse } from './ledger.ts';
import { RecordedRefusal, type Route } from './route.ts';
import { catalogueRoutes } from './routes/catalogue.ts';
import { checkoutSessionRoutes } from './routes/checkout-sessions.ts';
import { customerRoutes } from './routes/customers.ts';
import { discountRoutes } from './routes/discounts.ts';
import { eventRoutes } from './routes/events.ts';
import { invoiceRoutes } from './routes/invoices.ts';
import { paymentMethodDomainRoutes } from './routes/payment-method-domains.ts';
import { paymentMethodRoutes } from './routes/payment-methods.ts';
import { paymentRoutes } from './routes/payments.ts';
import { portalRoutes } from './routes/portal.ts';
import { subscriptionScheduleRoutes } from './routes/subscription-schedules.ts';
import { subscriptionRoutes } from './routes/subscriptions.ts';
import { taxRoutes } from './routes/tax.ts';
import { webhookEndpointRoutes } from './routes/webhook-endpoints.ts';

export const routes: readonly Route[] = [
  ...customerRoutes,
  ...catalogueRoutes,
  ...checkoutSessionRoutes,
  ...discountRoutes,
  ...subscriptionRoutes,
  ...subscriptionScheduleRoutes,
  ...invoiceRoutes,
  ...paymentMethodRoutes,
  ...paymentMethodDomainRoutes,
  ...paymentRoutes,
  ...portalRoutes,
  ...eventRoutes,
  ...taxRoutes,
  ...webhookEndpointRoutes,
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

/** Answers a request once all effects are on disk. Throws `ConnectionDropped` if a fault prevents that. */
export function answerApi(
  ledger: Ledger,
  secretKey: string,
  request: ApiRequest,
  faults?: Faults,
): ApiAnswer {
  const requestId = newId('req', 14);
  const key = request.method === 'POST' ? headerOf(request.headers, 'idempotency-key') : undefined;
  const answer = orRefusal(() => {
    authenticate(request.headers, secretKey);
    checkVersion(request.headers);
    const found = find(request);
    const stored = key === undefined ? undefined : storedResponse(ledger, key, identityOf(request));
    const fault = faults?.take(request, stored !== undefined);
    const outcome = orRefusal(() => {
      if (stored) {
        raise(fault, key);
        return replay(stored);
      }
      const work = prepare(ledger, found, request);
      const faultOrWork = (): Answer => {
        raise(fault, key);
        return work();
      };
      return execute(ledger, faultOrWork, { request, requestId, key });
    });
    if (fault === 'dropped-after') throw new ConnectionDropped();
    return outcome;
  });
  const headers = {
    'content-type': 'application/json',
    'request-id': requestId,
    'stripe-version': API_VERSION,
    ...(key !== undefined && { 'idempotency-key': key }),
    ...answer.headers,
  };
  return { status: answer.status, headers, body: answer.body };
}

interface Answer {
  status: number;
  body: string;
  /** Headers besides those of every answer. */
  headers?: Record<string, string>;
}

/** Executes an endpoint in a transaction. Saves its answer or its refusal under the idempotency key. */
function execute(
  ledger: Ledger,
  work: () => Answer,
  { request, requestId, key }: { request: ApiRequest; requestId: string; key: string | undefined },
): Answer {
  const save = ({ status, body }: Answer): void => {
    if (key === undefined) return;
    const stored = { key, ...identityOf(request), status, body, requestId, at: ledger.now() };
    ledger.idempotentResponses.put(key, stored);
  };
  if (request.method === 'GET') return work();
  try {
    return ledger.transaction({ id: requestId, idempotency_key: key ?? null }, () => {
      const answer = work();
      save(answer);
      return answer;
    });
  } catch (error) {
    // The transaction has undone the effects. Only the refusal remains.
    if (error instanceof StripeRefusal && error.executed) save(answerOf(error));
    throw error;
  }
}

const replay = ({ status, body, requestId }: StoredResponse): Answer => ({
  status,
  body,
  headers: { 'idempotent-replayed': 'true', 'original-request': requestId },
});

const answerOf = ({ status, body, headers }: StripeRefusal): Answer => ({
  status,
  body: errorJson(body),
  headers,
});

function orRefusal(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConnectionDropped) throw error;
    if (error instanceof StripeRefusal) return answerOf(error);
    // A bug of the stand-in: printed here, and answered like an internal error of Stripe.
    console.error(error);
    const message = 'The local stand-in for Stripe failed; its output says why.';
    return { status: 500, body: errorJson({ type: 'api_error', message }) };
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

/** Validates the parameters. Returns the work that the endpoint does. */
function prepare(
  ledger: Ledger,
  { route, id }: { route: Route; id: string },
  { method, url, body }: ApiRequest,
): () => Answer {
  // GET and DELETE have their parameters in the query, POST in the body.
  const { expand: expansions, ...form }: Form = decodeForm(method === 'POST' ? body : url.search);
  const paths = expansions === undefined ? [] : list(text)(expansions, 'expand');
  const work = route.prepare(ledger, id, form);
  return () => {
    const result = work();
    return result instanceof RecordedRefusal
      ? { status: result.status, body: errorJson(result.body) }
      : { status: 200, body: JSON.stringify(expand(ledger, result, paths)) };
  };
}
