import { type RefusalAnswer, type RefusalCode, refusals } from '../../schemas/refusal.ts';

const GATEWAY = 'GatewayRefusal';

/** Statuses with which API Gateway refuses a request before it reaches a route. */
const GATEWAY_STATUSES = { signedIn: [401, 403], all: [413, 429, 500, 503] } as const;

const component = (name: string) => ({ $ref: `#/components/schemas/${name}` });
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
  return { ...Object.fromEntries(own), [GATEWAY]: gateway };
}

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
  const references = [...codes.map(nameOf), ...(byGateway ? [GATEWAY] : [])].map(component);
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
    content: {
      'application/json': { schema: references.length === 1 ? references[0] : { oneOf: references } },
    },
  };
}
