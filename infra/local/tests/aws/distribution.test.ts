import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { type ServedStack, serveStack } from '../fixtures/served-stack.ts';
import { distribution, folderOf, template, type TemplateResource } from '../fixtures/local-stack.ts';

let world: ServedStack | undefined;
afterEach(() => world?.close());

const HOME = '<!doctype html><html><head lang="en"><title>Home</title></head></html>';
const site = folderOf({
  'index.html': HOME,
  'gone.html': '<html><head></head>Not here</html>',
  'assets/app.js': `// ${'x'.repeat(2_000)}`,
  'photo.png': 'p'.repeat(2_000),
  'a b.txt': 'spaced',
});

async function open(
  resources: Record<string, TemplateResource>,
  assets: Record<string, string> = {},
): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  world = await serveStack(template(resources, {}, { 'site.zip': site, ...assets }));
  const { origin } = world;
  return (path, init) => fetch(origin + path, { redirect: 'manual', ...init });
}

test("pages come from the bucket with the deployment's metadata, and with the script first in their head", async () => {
  const get = await open(distribution({ api: false }));
  const home = await get('/');
  expect(await home.text()).toBe(HOME.replace('<title>', '<script src="/first.js"></script><title>'));
  expect(Object.fromEntries(home.headers)).toMatchObject({
    'content-type': 'text/html',
    'cache-control': 'max-age=60',
    etag: expect.stringMatching(/^"[0-9a-f]{32}"$/) as string,
  });
  expect(await (await get('/a%20b.txt')).text()).toBe('spaced');
});

// `fetch` would normalise the path.
async function raw(path: string): Promise<[number | undefined, string]> {
  const { port } = new URL(world?.origin ?? '');
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  httpRequest({ host: '127.0.0.1', port, path }, resolve).on('error', reject).end();
  const response = await promise;
  return [response.statusCode, await text(response)];
}

test.each([
  '/../../../../etc/passwd',
  '/..%2f..%2f..%2f..%2fetc%2fpasswd',
  '/assets/../../../etc/passwd',
  '//etc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/%',
  '/a%00b',
])('%s does not leave the bucket', async (path) => {
  await open(distribution({ api: false }));
  const [status, body] = await raw(path);
  expect(status).toBe(403);
  expect(body).not.toContain('root:');
});

const edge = (code: string, event: string): [Record<string, TemplateResource>, Record<string, unknown>] => [
  {
    Edge: {
      Type: 'AWS::CloudFront::Function',
      Properties: { FunctionCode: code },
    },
  },
  { FunctionAssociations: [{ EventType: event, FunctionARN: { 'Fn::GetAtt': ['Edge', 'FunctionARN'] } }] },
];

test("a function changes a response after the policy's headers, but never an error", async () => {
  const [fn, pages] = edge(
    `function handler(event) {
      var response = event.response;
      response.headers['x-seen'] = { value: event.request.uri + ' ' + response.headers['x-frame-options'].value };
      if (event.request.uri === '/gone.html') response.statusCode = 404;
      return response;
    }`,
    'viewer-response',
  );
  const get = await open({
    ...fn,
    ...distribution({ api: false, pages: { ...pages, ResponseHeadersPolicyId: { Ref: 'Headers' } } }),
    Headers: headers({ SecurityHeadersConfig: { FrameOptions: { FrameOption: 'DENY', Override: true } } }),
  });
  const gone = await get('/gone.html');
  expect([gone.status, gone.headers.get('x-seen')]).toEqual([404, '/gone.html DENY']);
  expect((await get('/nope')).headers.get('x-seen')).toBeNull();
});

const headers = (config: object): TemplateResource => ({
  Type: 'AWS::CloudFront::ResponseHeadersPolicy',
  Properties: { ResponseHeadersPolicyConfig: { Name: 'h', ...config } },
});

test("the policy's headers are on every response, without those that would tie localhost to HTTPS", async () => {
  const get = await open({
    ...distribution({ api: false, pages: { ResponseHeadersPolicyId: { Ref: 'Headers' } } }),
    Headers: headers({
      SecurityHeadersConfig: {
        ContentSecurityPolicy: {
          ContentSecurityPolicy: "default-src 'self'; upgrade-insecure-requests",
          Override: true,
        },
        StrictTransportSecurity: { AccessControlMaxAgeSec: 1, Override: true },
        ContentTypeOptions: { Override: true },
        ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
      },
      CustomHeadersConfig: {
        Items: [
          { Header: 'X-Own', Value: 'yes', Override: true },
          { Header: 'Cache-Control', Value: 'theirs', Override: false },
        ],
      },
      RemoveHeadersConfig: { Items: [{ Header: 'Last-Modified' }] },
    }),
  });
  for (const path of ['/', '/nope']) {
    const found = Object.fromEntries((await get(path)).headers);
    expect(found).toMatchObject({
      'content-security-policy': "default-src 'self'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-own': 'yes',
      'cache-control': path === '/' ? 'max-age=60' : 'theirs',
    });
    expect(found).not.toHaveProperty('strict-transport-security');
    expect(found).not.toHaveProperty('last-modified');
  }
});

test.each([
  ['an unknown policy', { CachePolicyId: 'unknown' }, /doesn't know the cache policy unknown/],
  ['an origin that is elsewhere', { TargetOriginId: 'nowhere' }, /no origin nowhere/],
])('%s is refused with one sentence', async (_, pages, sentence) => {
  await expect(open(distribution({ api: false, pages }))).rejects.toThrow(sentence);
});
