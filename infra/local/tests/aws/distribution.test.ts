import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { type ServedStack, serveStack } from '../fixtures/served-stack.ts';
import {
  distribution,
  folderOf,
  httpApi,
  lambda,
  template,
  type TemplateResource,
} from '../fixtures/local-stack.ts';

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

test('a missing object is a 403, or a 404 if the policy lets the bucket be listed', async () => {
  let get = await open(distribution({ api: false }));
  expect((await get('/nope')).status).toBe(403);
  await world?.close();
  get = await open({
    ...distribution({ api: false }),
    Policy: {
      Type: 'AWS::S3::BucketPolicy',
      Properties: {
        Bucket: { Ref: 'Bucket' },
        PolicyDocument: { Statement: [{ Effect: 'Allow', Action: ['s3:GetObject', 's3:ListBucket'] }] },
      },
    },
  });
  expect((await get('/nope')).status).toBe(404);
});

const API = httpApi({ routes: { 'GET /show': { function: 'Show' } } });
const SHOW = {
  'show.zip': folderOf({
    'index.mjs':
      'export const handler = async (event) => ({ headers: event.headers, raw: event.rawQueryString, cookies: event.cookies ?? null });',
  }),
};

test("the origin gets what the policies let through, without the site's host", async () => {
  const get = await open({ Show: lambda('show.zip'), ...API, ...distribution() }, SHOW);
  const seen = async () =>
    (await (
      await get('/api/show?a=1&b=%20', {
        headers: { authorization: 'Bearer t', cookie: 'c=1', 'x-own': 'v' },
      })
    ).json()) as { headers: Record<string, string>; raw: string; cookies: string[] | null };
  const all = await seen();
  expect(all).toMatchObject({
    headers: { authorization: 'Bearer t', 'x-own': 'v' },
    raw: 'a=1&b=%20',
    cookies: ['c=1'],
  });
  expect(all.headers['host']).not.toContain('127.0.0.1');
});

test('without a policy for it, no header, cookie or query reaches the origin', async () => {
  const resources = distribution();
  const config = resources['Distribution']?.Properties?.['DistributionConfig'] as {
    CacheBehaviors: Record<string, unknown>[];
  };
  delete config.CacheBehaviors[0]?.['OriginRequestPolicyId'];
  const get = await open({ Show: lambda('show.zip'), ...API, ...resources }, SHOW);
  const response = await get('/api/show?a=1', { headers: { authorization: 'Bearer t', cookie: 'c=1' } });
  const seen = (await response.json()) as { headers: Record<string, string> };
  expect(seen).toMatchObject({ raw: '', cookies: null });
  expect(seen.headers).not.toHaveProperty('authorization');
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

test('a function rewrites a request or answers it', async () => {
  const [fn, pages] = edge(
    `async function handler(event) {
      var request = event.request;
      if (request.uri === '/old') return { statusCode: 301, headers: { location: { value: '/new?' + request.querystring.a.multiValue[1].value + request.cookies.c.value + request.headers['x-own'].value } } };
      if (request.uri === '/home') request.uri = '/index.html';
      return request;
    }`,
    'viewer-request',
  );
  const get = await open({ ...fn, ...distribution({ api: false, pages }) });
  const moved = await get('/old?a=1&a=%20', { headers: { cookie: 'c=2', 'x-own': '3' } });
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/new?%2023']);
  expect(await (await get('/home')).text()).toContain('<title>Home');
});

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

/** The code of a function that redirects `/Pricing/` with all of its query, and serves the home page else. */
const redirecting = `function handler(event) {
  var pairs = [];
  for (var name in event.request.querystring) {
    var first = event.request.querystring[name];
    (first.multiValue || [first]).forEach(function (each) { pairs.push(name + '=' + each.value); });
  }
  if (event.request.uri === '/Pricing/') {
    var location = { value: '/pricing?' + pairs.join('&') };
    return { statusCode: 301, statusDescription: 'Moved Permanently', headers: { location: location } };
  }
  event.request.uri = '/index.html';
  return event.request;
}`;

describe.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'multiValue'])(
  'a request that names something %s',
  (name) => {
    const inherited = () => [Object.prototype, Object].map((each) => Reflect.ownKeys(each));
    const before = inherited();
    const openPages = () => {
      const [onRequest, pages] = edge(redirecting, 'viewer-request');
      return open({ ...onRequest, ...distribution({ api: false, pages }) });
    };

    test.each([
      ['in its query', `/?${name}=1`, {}],
      ['twice in its query', `/?${name}=1&${name}=2`, {}],
      ['without a value in its query', `/?${name}`, {}],
      ['in a cookie', '/', { cookie: `${name}=1` }],
      ['in two cookies', '/', { cookie: `${name}=1; ${name}=2` }],
      ['in a header', '/', { [name]: '1' }],
    ])('%s gets its page, and so does the next one', async (_, path, sent) => {
      const get = await openPages();
      const home = await (await get('/')).text();
      expect(await (await get(path, { headers: sent })).text()).toBe(home);
      expect(await (await get('/')).text()).toBe(home);
      expect(inherited()).toEqual(before);
    });

    test('reaches the origin with all of its query and cookies', async () => {
      const get = await open({ Show: lambda('show.zip'), ...API, ...distribution() }, SHOW);
      const seen = async () =>
        (await get(`/api/show?${name}=1&a=b&${name}=2`, { headers: { cookie: `${name}=1; c=2` } })).json();
      const expected = { raw: `${name}=1&${name}=2&a=b`, cookies: [`${name}=1`, 'c=2'] };
      expect(await seen()).toMatchObject(expected);
      expect(await seen()).toMatchObject(expected);
    });
  },
);

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

test("a deployment fills in the stack's values", async () => {
  const resources = distribution({ api: false });
  const get = await open(
    {
      ...resources,
      Pool: { Type: 'AWS::Cognito::UserPool' },
      Config: {
        Type: 'Custom::CDKBucketDeployment',
        Properties: {
          DestinationBucketName: { Ref: 'Bucket' },
          SourceObjectKeys: ['site.zip', 'config.zip'],
          SourceMarkers: [{}, { '<<pool>>': { Ref: 'Pool' }, '<<quoted>>': 'a"b' }],
          SourceMarkersConfig: [{}, { jsonEscape: true }],
          Exclude: ['*'],
          Include: ['config.json'],
        },
      },
    },
    { 'config.zip': folderOf({ 'config.json': '{"pool":"<<pool>>","text":"<<quoted>>"}', 'left.out': 'x' }) },
  );
  expect(await (await get('/config.json')).json()).toEqual({
    pool: expect.stringMatching(/^us-east-1_/) as string,
    text: 'a"b',
  });
  expect((await get('/left.out')).status).toBe(403);
});

test.each([
  ['an unknown policy', { CachePolicyId: 'unknown' }, /doesn't know the cache policy unknown/],
  ['an origin that is elsewhere', { TargetOriginId: 'nowhere' }, /no origin nowhere/],
])('%s is refused with one sentence', async (_, pages, sentence) => {
  await expect(open(distribution({ api: false, pages }))).rejects.toThrow(sentence);
});
