import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Environment } from '../../schemas/config/environment.ts';
import { type Endpoint, routeLabel } from '../../schemas/routes/endpoint.ts';
import { json } from './json-answer.ts';
import { log } from './log.ts';
import { OAuthError } from './oauth-error.ts';
import { formOf } from './oauth-parameters.ts';
import type { HttpHandler } from './route.ts';
import { throughCloudFront } from './through-cloudfront.ts';
import { type Made, withAdapters } from './with-environment.ts';

type FormEndpoint = Endpoint & { caller: 'app'; form: z.ZodMiniType<{ client_id: string }> };

/**
 * Makes a Lambda handler for an endpoint of OAuth: a form, an answer in JSON, and errors as `{error,
 * error_description}` (RFC 6749, section 5.2). Codes, verifiers and tokens are never logged. A query is
 * refused, because addresses end up in logs. `clientId`: the relay's client, which all apps share. It is
 * public, and proves nothing.
 */
export const oauthRoute = <
  const E extends FormEndpoint,
  F extends Record<string, (of: Environment<E>) => unknown> & { clientId: (of: Environment<E>) => string },
>(
  endpoint: E,
  factories: F,
  handle: (
    form: z.output<E['form']>,
    context: { now: Date },
    adapters: Made<F>,
  ) => Promise<z.input<E['response']>>,
) =>
  withAdapters(endpoint, factories, (adapters: Made<F>): HttpHandler =>
    throughCloudFront(async (event) => {
      try {
        if (event.rawQueryString) throw new OAuthError('invalid_request', 'Parameters belong in the body.');
        const form = formOf<E['form']>(event, endpoint.form);
        if (form.client_id !== adapters.clientId) {
          // Without an authentication that could have failed, 400 instead of 401 (RFC 6749, section 5.2).
          throw new OAuthError('invalid_client', 'There is no such client here.', 400);
        }
        const answer = await handle(form, { now: new Date() }, adapters);
        return json(endpoint.status ?? 200, endpoint.response.parse(answer) as object);
      } catch (error) {
        return refuse(endpoint, error);
      }
    }),
  );

function refuse(endpoint: FormEndpoint, error: unknown): APIGatewayProxyStructuredResultV2 {
  const route = routeLabel(endpoint);
  if (!(error instanceof OAuthError)) {
    log.error('request-failed', { route }, error);
    return refuse(
      endpoint,
      new OAuthError('server_error', 'Something went wrong on our side. Please try again in a moment.'),
    );
  }
  const { code, description, status } = error;
  log.info('app-refused', { route, code });
  return json(status, { error: code, error_description: description });
}
