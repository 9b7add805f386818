import { expect, test } from 'vitest';
import { handler as receiveReports } from '../../../../functions/api/csp-report.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const log = watchLog();

const send = (body: unknown, type = 'application/reports+json') =>
  call(receiveReports.with({}), { rawBody: JSON.stringify(body), headers: { 'content-type': type } });

const page = 'https://www.selfsame.example/reset-password?access_token=123456&refresh_token=ada';

/** As Chromium sends it. */
const report = (body: Record<string, unknown> = {}) => ({
  type: 'csp-violation',
  age: 12,
  url: page,
  user_agent: 'Mozilla/5.0',
  body: {
    documentURL: page,
    referrer: 'https://mail.example/inbox?id=7',
    blockedURL: 'https://evil.example/x.js?stolen=ada@example.com',
    effectiveDirective: 'script-src-elem',
    originalPolicy: "default-src 'self'",
    sourceFile: 'https://www.selfsame.example/assets/app-1a2b.js?x=1',
    sample: 'let secret = "ada"',
    disposition: 'enforce',
    statusCode: 200,
    lineNumber: 3,
    columnNumber: 9,
    ...body,
  },
});

const expected = {
  event: 'csp-violation',
  requestId: 'request',
  directive: 'script-src-elem',
  blocked: 'https://evil.example',
  page: '/reset-password',
  source: 'www.selfsame.example/assets/app-1a2b.js',
  line: 3,
  disposition: 'enforce',
  others: 0,
};

test('a report is one line without queries, samples and referrers', async () => {
  expect(await send([report()])).toEqual({ status: 200, body: {} });
  expect(log.lines).toEqual([expected]);
});

test('a report in the format of report-uri is the same line', async () => {
  const { body } = report();
  const older = {
    'document-uri': body.documentURL,
    'violated-directive': "script-src-elem 'self'",
    'blocked-uri': body.blockedURL,
    'source-file': body.sourceFile,
    'line-number': 3,
    'script-sample': 'let secret',
  };
  await send({ 'csp-report': older }, 'application/csp-report');
  expect(log.lines).toEqual([expected]);
});

test('of many reports, one is logged, and the others are counted', async () => {
  await send([report(), ...Array.from({ length: 30 }, () => report({ effectiveDirective: 'img-src' }))]);
  expect(log.lines).toEqual([{ ...expected, others: 30 }]);
});

test.each([
  ['an inline script', { blockedURL: 'inline', sourceFile: null }, { blocked: 'inline', source: null }],
  ['what is only reported', { disposition: 'report' }, { disposition: 'report' }],
])('a report about %s says so in short', async (_, body, shown) => {
  await send([report(body)]);
  expect(log.lines).toEqual([{ ...expected, ...shown }]);
});

test.each([
  ['of an extension', [report({ sourceFile: 'chrome-extension://abc/inject.js' })]],
  ['of another type', [{ type: 'deprecation', body: { id: 'x', message: 'ada@example.com' } }]],
  ['that is a text', 'ada@example.com'],
  ['that is null', null],
])('a report %s is not logged', async (_, body) => {
  expect((await send(body)).status).toBe(200);
  expect(log.lines).toEqual([]);
});

test('a crash of a page is a line of its own', async () => {
  const crash = { type: 'crash', url: report().url, body: { reason: 'oom', stack: 'ada' } };
  await send([report(), crash]);
  expect(log.lines).toEqual([
    { event: 'page-crash', requestId: 'request', type: 'crash', page: '/reset-password', reason: 'oom' },
  ]);
});

test('a body that is no JSON is refused', async () => {
  expect((await call(receiveReports.with({}), { rawBody: '{' })).status).toBe(400);
  expect(log.text()).not.toContain('csp-violation');
});

test('a report that is too long is refused', async () => {
  expect((await send([report({ sample: 'x'.repeat(70_000) })])).status).toBe(413);
});
