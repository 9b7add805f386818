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

/** A request that Stripe refuses. The transaction undoes its effects. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body.code ? { ...body, doc_url: documentation(body.code) } : body;
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

export const parameterMissing = (param: string): StripeRefusal =>
  invalid(`Missing required param: ${param}.`, param, 'parameter_missing');

export const parametersExclusive = (...names: string[]): StripeRefusal =>
  invalid(`You may only specify one of these parameters: ${names.join(', ')}.`, names[0]);

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
