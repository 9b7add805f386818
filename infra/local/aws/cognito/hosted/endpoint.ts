import type { Parts } from '../parts.ts';
import { OAuthError, PageError } from './oauth-error.ts';

export interface HostedRequest {
  parts: Parts;
  query: URLSearchParams;
  /** Empty if the body isn't a form. */
  form: URLSearchParams;
  cookies: ReadonlyMap<string, string>;
  authorization: string | undefined;
}

export interface HostedAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: string;
}

export type Endpoint = (request: HostedRequest) => HostedAnswer | Promise<HostedAnswer>;

/** Undefined if absent or empty. Refused if repeated (RFC 6749, 3.1). */
export function parameter(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name);
  if (values.length > 1)
    throw new OAuthError('invalid_request', `Parameter ${name} is there more than once.`);
  return values[0] || undefined;
}

export function requiredParameter(parameters: URLSearchParams, name: string): string {
  const value = parameter(parameters, name);
  if (value === undefined) throw new OAuthError('invalid_request');
  return value;
}

/** A required parameter of pages without a validated redirect address for errors. */
export function requiredPageParameter(query: URLSearchParams, name: string): string {
  const values = query.getAll(name);
  if (values.length === 1 && values[0]) return values[0];
  throw new PageError(`Required String parameter '${name}' is not present`);
}
