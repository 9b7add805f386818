import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Synthesized } from '../../../infra/local/stack/template.ts';
import { startWorld, type World } from '../../../infra/local/start-world.ts';
import { api } from '../../../schemas/api.ts';
import type { Endpoint } from '../../../schemas/routes/endpoint.ts';
import { ORIGIN_KEY_HEADER } from '../../../schemas/config/origin-key.ts';
import { stackOnce } from '../../fixtures/worlds/stack-once.ts';

let world: World<'aws'>;
let domainName = '';
/** The key that CloudFront sends, and the functions accept. */
let key = '';

beforeAll(async () => {
  await stackOnce();
  const { synthesized } = JSON.parse(process.env['SELFSAME_BUILT'] ?? '{}') as { synthesized: Synthesized };
  world = await startWorld({ aws: { synthesized, only: ['secretsManager', 'lambda', 'apiGateway'] } });
  const { stack } = world.aws;
  const [distribution] = stack.of('AWS::CloudFront::Distribution');
  const { Origins } = (distribution?.properties['DistributionConfig'] ?? { Origins: [] }) as {
    Origins: { DomainName: string; OriginCustomHeaders?: { HeaderName: string; HeaderValue: string }[] }[];
  };
  const origin = Origins.find(({ DomainName }) => DomainName.includes('execute-api'));
  domainName = origin?.DomainName ?? '';
  key =
    origin?.OriginCustomHeaders?.find(({ HeaderName }) => HeaderName === ORIGIN_KEY_HEADER)?.HeaderValue ??
    '';
});
afterAll(() => world.stop());

/** Asks API Gateway at its own address, and not through CloudFront. */
const ask = async ({ method, path }: Endpoint, headers: Record<string, string>): Promise<number> => {
  const answer = await world.aws.services.apiGateway?.answer(domainName, {
    method: method === 'ANY' ? 'GET' : method,
    url: `/api${path.replace('{step}', 'nothing')}`,
    headers: { 'content-type': 'application/json', ...headers },
    sourceIp: '203.0.113.1',
    body: Readable.from([Buffer.from('{}')]),
  });
  return answer?.status ?? 0;
};

const routes: [string, Endpoint][] = Object.entries(api);
const withoutToken = routes.filter(([, { caller }]) => caller !== 'bearer');

test.each(withoutToken)('the API’s own address refuses a request to %s', async (_, endpoint) => {
  expect(key).toMatch(/^[\w-]{48}$/);
  expect(await ask(endpoint, {})).toBe(403);
  expect(await ask(endpoint, { [ORIGIN_KEY_HEADER]: '' })).toBe(403);
  expect(await ask(endpoint, { [ORIGIN_KEY_HEADER]: key.slice(1) })).toBe(403);
});

// The others ask services that this test doesn't run.
test.each(withoutToken.filter(([, { needs }]) => !needs.some((need) => need === 'stripe')))(
  'the API answers %s if CloudFront sends it on',
  async (_, endpoint) => {
    expect([200, 400, 404]).toContain(await ask(endpoint, { [ORIGIN_KEY_HEADER]: key }));
  },
);
