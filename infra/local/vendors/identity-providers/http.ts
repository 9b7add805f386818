import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { document, Html, html } from '../../base/html.ts';

export interface ProviderRequest {
  /** HEAD counts as GET. */
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** A form-encoded body. Empty if there is none. */
  form: URLSearchParams;
}

export interface ProviderAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const json = (value: object, status = 200, headers: Record<string, string> = {}): ProviderAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(value),
});

export const page = (body: string, status = 200): ProviderAnswer => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    // No form-action: browsers apply it to a form's redirects, which lead to the client.
    'content-security-policy':
      "default-src 'none'; img-src data:; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  },
  body,
});

export const redirect = (address: string, parameters: Record<string, string | undefined>): ProviderAnswer => {
  const location = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) location.searchParams.set(name, value);
  }
  return {
    status: 302,
    headers: { location: location.href, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    body: '',
  };
};

const SUBMIT = 'document.forms[0].submit();';
const SUBMIT_HASH = createHash('sha256').update(SUBMIT).digest('base64');

/** A page whose form sends the parameters at once (OAuth 2.0 Form Post Response Mode). */
export const formPost = (address: string, parameters: Record<string, string | undefined>): ProviderAnswer => {
  const fields = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const { headers, ...answer } = page(
    document({
      title: 'Signing in …',
      body: html`<form method="post" action="${address}">${fields} <button>Continue</button></form>
        ${new Html(`<script>${SUBMIT}</script>`)}`,
    }),
  );
  return {
    ...answer,
    headers: {
      ...headers,
      'content-security-policy': `default-src 'none'; script-src 'sha256-${SUBMIT_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
      // With `no-referrer`, browsers hide the origin of a form.
      'referrer-policy': 'origin',
    },
  };
};

/** The token of the Authorization header. `schemes` in lower case. */
export function tokenOf({ headers }: ProviderRequest, schemes: readonly string[]): string | undefined {
  const [scheme = '', token] = (headers.authorization ?? '').split(' ');
  return schemes.includes(scheme.toLowerCase()) ? token : undefined;
}

/** An absolute http or https address. Undefined for any other text. */
export function webAddress(text: string | null): string | undefined {
  const address = text === null ? null : URL.parse(text);
  return address && /^https?:$/.test(address.protocol) && address.hash === ''
    ? (text ?? undefined)
    : undefined;
}
