/** The `error` object of a response, after Stripe's API reference. */
export interface ErrorBody {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  doc_url?: string;
  payment_method?: unknown;
}

interface RefusalOptions {
  headers?: Record<string, string>;
  /**
   * Whether the endpoint had begun to execute. Only then is the refusal saved under an idempotency key
   * (https://docs.stripe.com/api/idempotent_requests).
   */
  executed?: boolean;
}

/** A request that Stripe refuses. The transaction undoes its effects. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Record<string, string>;
  readonly executed: boolean;

  constructor(status: number, body: ErrorBody, { headers = {}, executed = true }: RefusalOptions = {}) {
    super(body.message);
    this.status = status;
    this.body = body.code ? { ...body, doc_url: documentation(body.code) } : body;
    this.headers = headers;
    this.executed = executed;
  }
}

const documentation = (code: string): string =>
  `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;

const SUPPORT = 'or we can help at https://support.stripe.com/.';

export const invalid = (message: string, param?: string, code?: string): StripeRefusal =>
  new StripeRefusal(400, {
    type: 'invalid_request_error',
    message,
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
  });

/** 404: the object in the path doesn't exist. */
export const missing = (kind: string, id: string, param = 'id'): StripeRefusal =>
  new StripeRefusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  });

/** 400: the object that a parameter names doesn't exist. */
export const missingReference = (kind: string, id: string, param: string): StripeRefusal =>
  invalid(`No such ${kind}: '${id}'`, param, 'resource_missing');

/** The same refusal for parameters that fail validation, before the endpoint executes. */
export const beforeExecution = ({ status, body }: StripeRefusal): StripeRefusal =>
  new StripeRefusal(status, body, { executed: false });

export const parameterMissing = (param: string): StripeRefusal =>
  beforeExecution(invalid(`Missing required param: ${param}.`, param, 'parameter_missing'));

export const parametersExclusive = (...names: string[]): StripeRefusal =>
  beforeExecution(invalid(`You may only specify one of these parameters: ${names.join(', ')}.`, names[0]));

export const unknownRoute = (method: string, path: string): StripeRefusal =>
  new StripeRefusal(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs ${SUPPORT}`,
  });

export const noKey = (): StripeRefusal =>
  new StripeRefusal(401, {
    type: 'invalid_request_error',
    message:
      'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer ' +
      "auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for " +
      `details, ${SUPPORT}`,
  });

/** Shows the first eight and the last four letters of the key, as Stripe does. */
export const wrongKey = (key: string): StripeRefusal =>
  new StripeRefusal(401, {
    type: 'invalid_request_error',
    message: `Invalid API Key provided: ${
      key.length > 12
        ? `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}`
        : '*'.repeat(key.length)
    }`,
  });

/**
 * 429: https://docs.stripe.com/rate-limits#object-lock-timeouts. Stripe advises its client to retry "in cases of
 * lock timeouts" (a comment in `_shouldRetry` of stripe-node).
 */
export const lockTimeout = (): StripeRefusal =>
  new StripeRefusal(
    429,
    {
      type: 'invalid_request_error',
      code: 'lock_timeout',
      message:
        'This object cannot be accessed right now because another API request or Stripe process is currently ' +
        'accessing it. If you see this error intermittently, retry the request. If you see this error frequently ' +
        'and are making multiple concurrent requests to a single object, make your requests serially or at a ' +
        'lower rate.',
    },
    { headers: { 'stripe-should-retry': 'true' }, executed: false },
  );

/** 409: another request with the same idempotency key is in progress. */
export const keyInUse = (key: string): StripeRefusal =>
  new StripeRefusal(
    409,
    {
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message:
        'There is currently another in-progress request using this Idempotent Key (that probably means you ' +
        `submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    },
    { executed: false },
  );

/**
 * 429 with Stripe's reason: https://docs.stripe.com/rate-limits. That page doesn't mention `Retry-After`, and
 * stripe-node doesn't read it. Other layers send it. `retryAfter`: seconds.
 */
export const rateLimited = (retryAfter?: number): StripeRefusal =>
  new StripeRefusal(
    429,
    {
      type: 'invalid_request_error',
      code: 'rate_limit',
      message:
        'Request rate limit exceeded. You can learn more about rate limits here https://stripe.com/docs/rate-limits.',
    },
    {
      headers: {
        'stripe-rate-limited-reason': 'global-rate',
        ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      },
      executed: false,
    },
  );

/** 500 of an endpoint that had begun to execute. */
export const serverError = (): StripeRefusal =>
  new StripeRefusal(
    500,
    { type: 'api_error', message: 'An unknown error occurred.' },
    // A retry with the same key gets the same answer (a comment in `_shouldRetry` of stripe-node).
    { headers: { 'stripe-should-retry': 'false' } },
  );
