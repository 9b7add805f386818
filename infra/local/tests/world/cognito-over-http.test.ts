import type { IncomingMessage, ServerResponse } from 'node:http';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { cognitoOverHttp } from '../../console/cognito-over-http.ts';
import { listen, type Loopback } from '../../base/loopback.ts';
import { browserArguments, findBrowser } from '../../../../tests/fixtures/browser/browser.ts';

// An ordinary Amplify application. `window.domain` is the hosted domain's name.
const application = `
  import { Amplify } from 'aws-amplify';
  import { signInWithRedirect } from 'aws-amplify/auth';
  import 'aws-amplify/auth/enable-oauth-listener';

  Amplify.configure({ Auth: { Cognito: {
    userPoolId: 'us-east-1_abcdefghi',
    userPoolClientId: 'client',
    loginWith: { oauth: {
      domain: window.domain,
      scopes: ['openid'],
      redirectSignIn: [location.origin + '/'],
      redirectSignOut: [location.origin + '/'],
      responseType: 'code',
    } },
  } } });
  window.signIn = () => signInWithRedirect({ provider: 'Google' });
`;

let browser: Browser;
let script: string;
let site: Loopback;
let cognito: Loopback;
let page: Page;
let asked: string[];

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: await findBrowser(), args: browserArguments });
  const bundle = await build({
    stdin: { contents: application, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'iife',
    logLevel: 'silent',
  });
  script = bundle.outputFiles[0]?.text ?? '';
});
afterAll(() => browser.close());

/** A hosted domain that redirects every sign-in with a code and refuses to redeem it. */
function hostedDomain(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  asked.push(`${request.method} ${pathname}`);
  if (pathname === '/oauth2/authorize') {
    const back = new URL(searchParams.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' }).toString();
    response.writeHead(302, { location: back.href }).end();
  } else {
    response.writeHead(200, { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' });
    response.end('{"error":"invalid_grant"}');
  }
}

beforeEach(async () => {
  asked = [];
  cognito = await listen(0, hostedDomain);
  const host = `localhost:${cognito.port}`;
  site = await listen(0, (request, response) => {
    const isScript = request.url === '/application.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(
      isScript
        ? script
        : `<!doctype html><script>${cognitoOverHttp(`http://${host}`)}</script>
          <script>window.domain = '${host}';</script><script src="/application.js"></script>
          <a href="https://${host}/logout?a=1#b">Leave</a>`,
    );
  });
  page = await browser.newPage();
  await page.goto(`http://localhost:${site.port}/`);
});
afterEach(async () => {
  await page.close();
  await site.close();
  await cognito.close();
});

test("Amplify's sign-in with a provider goes to the local Cognito and redeems its code there", async () => {
  const token = page.waitForResponse((response) => response.url().endsWith('/oauth2/token'));
  await page.evaluate('signIn()');
  expect((await token).url()).toBe(`http://localhost:${cognito.port}/oauth2/token`);
  expect(asked).toEqual(['GET /oauth2/authorize', 'OPTIONS /oauth2/token', 'POST /oauth2/token']);
});

test('a link to the local Cognito keeps everything but its scheme', async () => {
  await page.getByRole('link', { name: 'Leave' }).click();
  await page.waitForURL('**/logout**');
  expect(page.url()).toBe(`http://localhost:${cognito.port}/logout?a=1#b`);
});

test('a request to the local Cognito keeps its method and its body', async () => {
  const answer = await page.evaluate(async (address) => {
    const response = await fetch(address, { method: 'POST', body: 'text' });
    return response.text();
  }, `https://localhost:${cognito.port}/oauth2/revoke`);
  expect(answer).toBe('{"error":"invalid_grant"}');
  expect(asked).toEqual(['POST /oauth2/revoke']);
});

test('every other address stays as it is', async () => {
  // The site speaks no TLS: an answer would mean that the scheme was changed.
  const outcome = await page.evaluate(
    (address) =>
      fetch(address).then(
        () => 'answered',
        () => 'failed',
      ),
    `https://localhost:${site.port}/`,
  );
  expect(outcome).toBe('failed');
  expect(await page.evaluate(async () => (await fetch('/here')).status)).toBe(200);
});
