import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { throttleOf } from '../../../infra/constructs/api/throttle.ts';
import { shareOf } from '../../../infra/constructs/firewall/firewall.ts';
import { relayAddressesOf } from '../../../infra/stages/app-addresses.ts';
import { stages } from '../../../infra/stages/stages.ts';
import { api } from '../../../schemas/api.ts';
import { allRefusalsOf } from '../../../schemas/routes/endpoint.ts';
import { Plan } from '../../../schemas/rows/plan.ts';
import { product } from '../../../schemas/product/product.ts';
import { defaultProviders } from '../../../schemas/product/providers.ts';
import { refusals } from '../../../schemas/refusal.ts';
import { isRegistered } from '../../../schemas/config/relay-address.ts';
import { AppTokens } from '../../../schemas/shapes/app-tokens.ts';
import { SiteConfig } from '../../../schemas/config/site-config.ts';
import { openApiDocument } from '../../../web/build/openapi.ts';
import { CODE_NEEDED, failed, type Outcome, succeeded } from '../../../web/src/relay/outcome.ts';
import { startRequestOf } from '../../../web/src/relay/start-request.ts';

const text = readFileSync('.github/apps.md', 'utf8');

/** The rows of the tables below a heading, as cells without marks. */
function rowsBelow(heading: string): string[][][] {
  const [section = ''] = (text.split(`\n## ${heading}\n`)[1] ?? '').split('\n## ');
  const tables = section.split('\n\n').filter((part) => part.startsWith('|'));
  return tables.map((table) =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim().replaceAll('`', '')),
      ),
  );
}
const namesBelow = (heading: string) => rowsBelow(heading).map((rows) => rows.map(([name]) => name));

const ADDRESS = product.desktopCallback;
const SITE = 'https://www.selfsame.example';
const parametersOf = (outcome: Outcome): string[] => {
  const to =
    outcome.kind === 'success'
      ? outcome.to
      : outcome.kind === 'error' && 'to' in outcome.redirect
        ? outcome.redirect.to
        : '';
  return [...new URL(to).searchParams.keys()];
};

const registered = relayAddressesOf(stages.production, SITE);
const values = { provider: 'google', redirect_uri: ADDRESS, state: 's' };

test('names what `/oauth/start` takes, what the app gets, and what it gets for a code', () => {
  const [sent = [], received, refused, redeemed] = namesBelow('Sign a user in');
  const asked = {
    ...values,
    response_type: 'code',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    scope: 'openid email profile',
    nonce: 'n',
  };
  expect(sent).toEqual(Object.keys(asked));
  const request = startRequestOf(new URLSearchParams(asked), registered);
  expect(request).toMatchObject({
    kind: 'begin',
    signIn: { redirectUri: ADDRESS, codeRequest: { nonce: 'n' } },
  });

  if (!isRegistered(ADDRESS, [ADDRESS])) throw new Error('The address is not registered.');
  expect(received).toEqual(parametersOf(succeeded(ADDRESS, { code: 'c' }, 's')));
  expect(refused).toEqual(parametersOf(failed('m', { redirectUri: ADDRESS, state: 's' }, [ADDRESS])));
  expect(rowsBelow('Sign a user in')[2]?.[0]?.[1]).toBe('oauth_error');
  expect(redeemed).toEqual(Object.keys(AppTokens.shape));
});

test('names what an app gets that asks for no code', () => {
  const query = new URLSearchParams(values);
  const legacy = relayAddressesOf(stages.staging, SITE);
  expect(startRequestOf(query, legacy)).toMatchObject({ kind: 'begin' });
  expect(startRequestOf(query, registered)).toMatchObject({ outcome: { message: CODE_NEEDED } });
  expect(registered.legacyAddresses).toEqual([`${SITE}/oauth/demo`]);
  if (!isRegistered(ADDRESS, [ADDRESS])) throw new Error('The address is not registered.');
  const tokens = { access_token: 'a', refresh_token: 'r' };
  expect(namesBelow('Tokens in the query')).toEqual([parametersOf(succeeded(ADDRESS, tokens, 's'))]);
});

test('names providers, registered addresses and pages that exist', () => {
  expect(rowsBelow('Sign a user in')[0]?.[0]?.[1]).toBe(defaultProviders.join(' or '));
  for (const { address } of stages.production.relayAddresses) expect(text).toContain(`\`${address}\``);
  expect(registered.relayAddresses).toContain(`${SITE}/hits`);
  const pages = readFileSync('web/src/pages/pages.ts', 'utf8');
  for (const path of ['/oauth/start', '/hits']) {
    expect(text).toContain(`\`${path}\``);
    expect(pages).toContain(`page('${path}', `);
  }
  for (const name of ['signInOrigin', 'relayClientId', 'userPoolEndpoint', 'userPoolId']) {
    expect(text).toContain(name);
    expect(SiteConfig.shape).toHaveProperty(name);
  }
});

test('lists the fields of the plan, and shows an answer that has them', () => {
  expect(namesBelow('Read the plan')).toEqual([Object.keys(Plan.shape)]);
  const [, answer = ''] = /```json\n(.*?)```/s.exec(text) ?? [];
  expect(Object.keys(Plan.parse(JSON.parse(answer)))).toEqual(Object.keys(Plan.shape));
  expect(Object.keys(JSON.parse(answer) as object)).toEqual(Object.keys(Plan.shape));
  expect(text).toContain(`$SITE/api${api.plan.path}`);
});

test('lists every status and every refusal of reading the plan', () => {
  const [rows = []] = rowsBelow('When it fails');
  const operation = openApiDocument().paths['/plan']?.['get'] as { responses: object };
  // One status has a row for each of its senders.
  expect([...new Set(rows.map(([status]) => status))]).toEqual(
    Object.keys(operation.responses).filter((status) => Number(status) >= 400),
  );
  for (const code of allRefusalsOf(api.plan)) {
    const [, codes] = rows.find(([status]) => status === String(refusals[code].status)) ?? [];
    expect(codes).toContain(code);
  }
});

test('states the limits', () => {
  const firewall = readFileSync('infra/constructs/firewall/firewall.ts', 'utf8');
  expect(text).toContain('2,000 requests in five minutes');
  expect(firewall).toContain('MAXIMUM_REQUESTS = 2_000;');
  expect(text).toContain('One access token may send 120 requests a minute');
  expect(firewall).toContain('SESSION_REQUESTS = 120;');
  expect(text).toContain('All callers together may read the plan 2,000 times a second');
  expect(api.plan.throttle.rate).toBe(2_000);
  expect(text).toContain('`Cache-Control: private, max-age=900`, less shortly before Plus ends');
  expect(text).toContain(
    `${shareOf(api.token.throttle)} requests a minute to \`/api/token\`, and ${shareOf(throttleOf(api.revoke)!)} to \`/api/revoke\``,
  );
});
