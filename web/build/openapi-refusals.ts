import { type RefusalAnswer, type RefusalCode, refusals } from '../../schemas/refusal.ts';

const GATEWAY = 'GatewayRefusal';
const OAUTH = 'OAuthError';

/** Statuses with which API Gateway refuses a request before it reaches a route. */
const GATEWAY_STATUSES = { signedIn: [401, 403], all: [413, 429, 500, 503] } as const;

const nameOf = (code: RefusalCode): string => `Refusal.${code}`;

/** The component of each refusal, by name, and the component of API Gateway's refusals. */
export function refusalSchemas(codes: ReadonlySet<RefusalCode>) {
  const own = [...codes].map((code) => [
    nameOf(code),
    {
      type: 'object',
      properties: {
        error: {
          type: 'string',
          description: 'What users may read. It may be worded differently tomorrow.',
          examples: [refusals[code].sentence],
        },
        code: { const: code },
      },
      required: ['error', 'code'],
    },
  ]);
  const gateway = {
    type: 'object',
    description: 'A refusal by API Gateway, before the request reached a route.',
    properties: { message: { type: 'string' } },
    required: ['message'],
  };
  const oauth = {
    type: 'object',
    description: 'An error of OAuth: RFC 6749, section 5.2.',
    properties: {
      error: { type: 'string' },
      error_description: {
        type: 'string',
        description: 'For people. It may be worded differently tomorrow.',
      },
    },
    required: ['error', 'error_description'],
  };
  return { ...Object.fromEntries(own), [GATEWAY]: gateway, [OAUTH]: oauth };
}

/** The errors of an endpoint of OAuth, by status. API Gateway refuses with most of these too. */
const OAUTH_ERRORS: Record<number, string> = {
  400: '`invalid_request`, `invalid_client`, `invalid_grant` or `unsupported_grant_type`.',
  413: '`invalid_request`: the form is too large.',
  500: '`server_error`.',
};

/** The errors of an endpoint of OAuth as OpenAPI's responses. */
export const oauthErrorsByStatus = Object.fromEntries(
  [400, ...GATEWAY_STATUSES.all].map((status) => {
    const own = OAUTH_ERRORS[status];
    const byGateway = status !== 400;
    return [
      status,
      {
        description: [own, byGateway && 'Refused by API Gateway.'].filter(Boolean).join('\n'),
        content: contentOf([...(own ? [OAUTH] : []), ...(byGateway ? [GATEWAY] : [])]),
      },
    ];
  }),
);

/** The refusals of an operation as OpenAPI's responses. */
export function refusalsByStatus(codes: readonly RefusalCode[], { isSignedIn }: { isSignedIn: boolean }) {
  const gateway: readonly number[] = [
    ...(isSignedIn ? GATEWAY_STATUSES.signedIn : []),
    ...GATEWAY_STATUSES.all,
  ];
  const statuses = new Set([...codes.map((code) => refusals[code].status), ...gateway]);
  return Object.fromEntries(
    [...statuses]
      .toSorted((a, b) => a - b)
      .map((status) => [
        status,
        responseOf(
          codes.filter((code) => refusals[code].status === status),
          gateway.includes(status),
        ),
      ]),
  );
}

function responseOf(codes: readonly RefusalCode[], byGateway: boolean) {
  const sentences = codes.map((code) => `\`${code}\`: ${refusals[code].sentence}`);
  const answers: RefusalAnswer[] = codes.map((code) => refusals[code]);
  return {
    description: [...sentences, ...(byGateway ? ['Refused by API Gateway.'] : [])].join('\n'),
    ...(answers.some(({ retryAfter }) => retryAfter !== undefined) && {
      headers: {
        'Retry-After': {
          description: 'Seconds to wait, if it is worth waiting.',
          schema: { type: 'integer' },
        },
      },
    }),
    content: contentOf([...codes.map(nameOf), ...(byGateway ? [GATEWAY] : [])]),
  };
}

function contentOf(names: readonly string[]) {
  const references = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return { 'application/json': { schema: references.length === 1 ? references[0] : { oneOf: references } } };
}
