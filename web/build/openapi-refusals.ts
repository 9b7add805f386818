import { type RefusalCode, refusals } from '../../schemas/refusal.ts';

/** Statuses with which API Gateway refuses a request before it reaches a route. */
const GATEWAY_STATUSES = { signedIn: [401, 403], all: [413, 429, 500, 503] } as const;
const BY_GATEWAY = 'Refused by API Gateway.';

/** The errors of an endpoint of OAuth, by status. API Gateway refuses with most of these too. */
const OAUTH_ERRORS: Record<number, string> = {
  400: '`invalid_request`, `invalid_client`, `invalid_grant` or `unsupported_grant_type`.',
  413: '`invalid_request`: the form is too large.',
  500: '`server_error`.',
};

const objectOf = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const sentence = { type: 'string', description: 'For people. It may be worded differently tomorrow.' };
const byGateway = objectOf({ message: { type: 'string' } });
/** RFC 6749, section 5.2. */
const oauthError = objectOf({ error: { type: 'string' }, error_description: sentence });
const refusalOf = (codes: readonly RefusalCode[]) => objectOf({ error: sentence, code: { enum: codes } });

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait, if it is worth waiting.', schema: { type: 'integer' } },
};

/** OpenAPI's response for a status. `own`: what the route itself answers, if anything. */
const responseOf = (isByGateway: boolean, lines: readonly string[], own: object | undefined) => ({
  description: [...lines, ...(isByGateway ? [BY_GATEWAY] : [])].join('\n'),
  content: {
    'application/json': {
      schema: own && isByGateway ? { oneOf: [own, byGateway] } : (own ?? byGateway),
    },
  },
});

/** The errors of an endpoint of OAuth as OpenAPI's responses. */
export const oauthErrorsByStatus = Object.fromEntries(
  [400, ...GATEWAY_STATUSES.all].map((status) => {
    const own = OAUTH_ERRORS[status];
    return [status, responseOf(status !== 400, own ? [own] : [], own ? oauthError : undefined)];
  }),
);

export function refusalsByStatus(codes: readonly RefusalCode[], { isSignedIn }: { isSignedIn: boolean }) {
  const gateway: readonly number[] = [
    ...(isSignedIn ? GATEWAY_STATUSES.signedIn : []),
    ...GATEWAY_STATUSES.all,
  ];
  const statuses = new Set([...codes.map((code) => refusals[code].status), ...gateway]);
  return Object.fromEntries(
    [...statuses]
      .toSorted((a, b) => a - b)
      .map((status) => {
        const own = codes.filter((code) => refusals[code].status === status);
        return [
          status,
          {
            ...responseOf(
              gateway.includes(status),
              own.map((code) => `\`${code}\`: ${refusals[code].sentence}`),
              own.length > 0 ? refusalOf(own) : undefined,
            ),
            ...(own.some((code) => refusals[code].retryAfter !== undefined) && { headers: retryAfter }),
          },
        ];
      }),
  );
}
