import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { api } from '../../../../schemas/api.ts';
import { type Endpoint, allRefusalsOf } from '../../../../schemas/routes/endpoint.ts';
import { refusals } from '../../../../schemas/refusal.ts';
import { openApiDocument } from '../../../../web/build/openapi.ts';
import { commentsIn } from '../../../../web/build/schema-comments.ts';
import { freePlan } from '../../../fixtures/product/free-plan.ts';
import { ApiDocument } from '../../../fixtures/repository/api-document.ts';

const document = openApiDocument();
const routes: [string, Endpoint][] = Object.entries(api);
const described = routes.filter(([, { caller }]) => ['bearer', 'anyone', 'app'].includes(caller));

interface Operation {
  summary: string;
  security: Record<string, string[]>[];
  requestBody?: { content: object };
  responses: Record<string, { description: string; content: unknown }>;
}
const operationOf = ({ method, path }: Endpoint) =>
  document.paths[path]?.[method.toLowerCase()] as Operation | undefined;

describe('the API’s document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>)).toEqual(
      { valid: true },
    );
    expect(validator.version).toBe('3.1');
  });

  test('has the routes for browsers and apps, and no others', () => {
    const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.toSorted()).toEqual(
      described.map(([, { method, path }]) => `${method} ${path}`).toSorted(),
    );
  });

  test('says that apps may read the plan, and nothing else', () => {
    const forApps = described.filter(([, endpoint]) =>
      operationOf(endpoint)?.security.some(({ app }) => app),
    );
    expect(forApps.map(([name]) => name)).toEqual(['plan']);
  });

  test.each(described)('describes %s: what it is for, its request, and its answers', (name, endpoint) => {
    const operation = operationOf(endpoint);
    expect(operation?.summary).not.toBe(name);
    const types = [
      ...(endpoint.body ? ['application/json'] : []),
      ...(endpoint.form ? ['application/x-www-form-urlencoded'] : []),
    ];
    expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual(types);
    expect(operation?.responses[endpoint.status ?? 200]?.content).toHaveProperty([
      'application/json',
      'schema',
    ]);
    expect(operation?.responses).toHaveProperty('429');
  });

  test('has the comments of the files in which the shapes are', () => {
    expect(JSON.stringify(operationOf(api['cancel-subscription']))).toContain(
      'End of Plus, in Unix seconds.',
    );
    expect(document.components.schemas['BillingResponse']?.properties?.['invoices']).toHaveProperty(
      'description',
      'Newest first.',
    );
  });

  test.each(described)('has every refusal of %s under its status', (_, endpoint) => {
    for (const code of allRefusalsOf(endpoint)) {
      const response = operationOf(endpoint)?.responses[refusals[code].status];
      expect(JSON.stringify(response?.content)).toContain(`"${code}"`);
      expect(response?.description).toContain(refusals[code].sentence);
    }
  });
});

describe('an answer is compared with the document', () => {
  const refusal = { error: 'No user logged in', code: 'not-signed-in' };

  test.each([
    ['as described', 200, freePlan, 0],
    ['a missing field', 200, { ...freePlan, plan: undefined }, 1],
    ['a field too many', 200, { ...freePlan, id: 'ada' }, 1],
    ['another type', 200, { ...freePlan, createdAt: 1_768_900_000 }, 1],
    ['another time zone', 200, { ...freePlan, createdAt: '2026-01-20T12:00:00+01:00' }, 1],
    ['a refusal', 401, refusal, 0],
    ['a refusal of API Gateway', 401, { message: 'Unauthorized' }, 0],
    ['a refusal under another status', 400, refusal, 1],
    ['a status that isn’t described', 418, refusal, 1],
  ])('%s', (_, status, body, faults) => {
    const found = new ApiDocument().faultsOf('GET', '/plan', {
      status,
      body: JSON.parse(JSON.stringify(body)) as unknown,
    });
    expect(found.length > 0).toBe(faults > 0);
  });
});

test('comments are read from above constants and fields, and other comments are not', () => {
  const comments = commentsIn(`
/** A plan. */
export const Plan = z.object({
  /**
   * When it ends,
   * in UTC.
   */
  endsAt: z.nullable(
    z.object({
      /** Since the epoch. @default 0 */
      at: z.number(),
    }),
  ),
  // A remark.
  id: z.string(),
  /** A comment above no field. */

  'two-words': z.string(),
});
/** In the next constant. */
const endpoint = { path: '/' };
`);
  expect(Object.fromEntries(comments)).toEqual({
    Plan: 'A plan.',
    'Plan.endsAt': 'When it ends, in UTC.',
    'Plan.endsAt.at': 'Since the epoch.',
    endpoint: 'In the next constant.',
  });
});
