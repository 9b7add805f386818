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

const withoutToken: Endpoint[] = Object.values(api).filter(({ caller }) => caller !== 'bearer');

test('the API’s own address refuses a request to every function that asks for no token', async () => {
  const answers = await Promise.all(withoutToken.map((endpoint) => ask(endpoint, {})));
  expect(answers).toEqual(withoutToken.map(() => 403));
});

test('the API answers if CloudFront sends a request on, with the whole key', async () => {
  expect(key).toMatch(/^[\w-]{48}$/);
  const statuses = ['', key.slice(1), key].map((sent) => ask(api.waitlist, { [ORIGIN_KEY_HEADER]: sent }));
  expect(await Promise.all(statuses)).toEqual([403, 403, 400]);
});
