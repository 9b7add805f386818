import { describe, expect, test } from 'vitest';
import { poolOperations } from '../../schemas/config/pool-operations.ts';
import { api } from '../../schemas/api.ts';
import { addressRules } from '../fixtures/aws/rate-rules.ts';
import { templatesOf } from '../fixtures/aws/stack.ts';
import { resources } from '../fixtures/aws/template.ts';

const { production } = templatesOf();

/** More than a first visit to prices and sign-up makes: 46 requests, of which 4 are for no static file. */
const firstVisit = [
  '/',
  '/config.json',
  '/favicon.svg',
  '/manifest.webmanifest',
  '/pricing',
  '/signup',
  '/articles',
  '/icon-192.png',
  '/assets/newsreader-latin-0aB_-x.woff2',
  '/assets/articles-page-Cv6XkDGT.css',
  ...Array.from({ length: 52 }, (_, index) => `/assets/chunk_${index}-B6YhMkFK.js`),
];

describe('the firewall', () => {
  test('lets two hundred newcomers of an office behind one address in within five minutes', () => {
    const visits = Array.from({ length: 200 }, () => firstVisit).flat();
    const wholeSite = addressRules(production).filter(({ keys }) => keys.join() === 'IP');
    expect(wholeSite).toHaveLength(1);
    for (const { limit, counts } of wholeSite) {
      expect(visits.filter(counts).length).toBeLessThanOrEqual(limit);
    }
  });

  test('counts every address but that of a file of the build', () => {
    const [{ counts } = { counts: () => false }] = addressRules(production);
    const paths = ['/', '/pricing', '/api/plan', '/config.json', '/assets/', '/assets/../api/plan'];
    const hidden = ['/assets/%2e%2e/api/plan', '/assets/..%2fapi', '/api/..%2fassets/a.js', '/assets/a.js/b'];
    expect([...paths, ...hidden].filter((path) => !counts(path))).toEqual([]);
    expect(counts('/assets/app-1a2b.js')).toBe(false);
  });

  test('counts each open route by itself, so that no use of one blocks another', () => {
    const byPath = addressRules(production).filter(({ keys }) => keys.join() === 'IP,UriPath');
    const open = Object.values(api).filter(({ caller }) => ['anyone', 'browser', 'app'].includes(caller));
    for (const { path } of open) {
      expect(byPath.filter(({ counts }) => counts(`/api${path}`))).toHaveLength(1);
    }
  });

  test('tells a blocked person what to do, in at most the 4 KB that WAF takes', () => {
    const acl = resources(production, 'AWS::WAFv2::WebACL').find(
      ([, { Properties }]) => Properties['Scope'] === 'CLOUDFRONT',
    )?.[1].Properties as {
      CustomResponseBodies: Record<string, { Content: string; ContentType: string }>;
      Rules: { Statement: object; Action?: { Block: { CustomResponse?: Record<string, unknown> } } }[];
    };
    const limits = acl.Rules.filter(({ Statement }) => 'RateBasedStatement' in Statement);
    for (const { Action } of limits) {
      const { ResponseCode, CustomResponseBodyKey } = Action?.Block.CustomResponse ?? {};
      const body = acl.CustomResponseBodies[String(CustomResponseBodyKey)];
      expect([ResponseCode, body?.ContentType]).toEqual([429, 'TEXT_HTML']);
      expect(body?.Content).toContain('Please wait five minutes, then reload the page.');
      expect(Buffer.byteLength(body?.Content ?? '')).toBeLessThan(4_096);
    }
  });
});

test('the pool’s firewall refuses every operation that nothing of ours calls, and no page or key', () => {
  const rule = resources(production, 'AWS::WAFv2::WebACL')
    .flatMap(([, { Properties }]) => Properties['Rules'] as { Name: string; Statement: object }[])
    .find(({ Name }) => Name === 'other-operations');
  const target = { FieldToMatch: { SingleHeader: { Name: 'x-amz-target' } } };
  const [, RegexString = ''] = /"RegexString":"([^"]*)"/.exec(JSON.stringify(rule)) ?? [];
  expect(rule?.Statement).toMatchObject({
    AndStatement: {
      Statements: [
        { SizeConstraintStatement: { ...target, ComparisonOperator: 'GE', Size: 1 } },
        { NotStatement: { Statement: { RegexMatchStatement: target } } },
      ],
    },
  });
  const allowed = new RegExp(JSON.parse(`"${RegexString}"`) as string);
  const isAllowed = (operation: string) =>
    allowed.test(`AWSCognitoIdentityProviderService.${operation}`.toLowerCase());
  expect(Object.keys(poolOperations).filter((operation) => !isAllowed(operation))).toEqual([]);
  const refused = ['ChangePassword', 'DeleteUser', 'ForgotPassword', 'GlobalSignOut', 'SetUserMFAPreference'];
  expect([...refused, 'AdminInitiateAuth', 'SignUp2', ''].filter(isAllowed)).toEqual([]);
});
