import { expect, test } from 'vitest';
import { crashIn, violationsIn } from '../../../../functions/domain/csp-violation.ts';

const violationOf = (body: Record<string, unknown>) =>
  violationsIn({
    body: { documentURL: 'https://www.selfsame.example/plan', effectiveDirective: 'script-src', ...body },
  })[0];

test.each([
  ['script-src', true],
  ['abc', true],
  ['a'.repeat(40), true],
  ['ab', false],
  ['a'.repeat(41), false],
  ['script_src', false],
  ['script-src;', false],
  ['?script-src', false],
])('a report about the directive %s is read: %s', (effectiveDirective, read) => {
  expect(violationOf({ effectiveDirective }) !== undefined).toBe(read);
});

test.each([
  ['inline', 'inline'],
  ['trusted-types-sink', 'trusted-types-sink'],
  ['a'.repeat(40), 'a'.repeat(40)],
  ['a'.repeat(41), '(unknown)'],
  ['a', '(unknown)'],
  ['inline?ada', '(unknown)'],
  ['?inline', '(unknown)'],
  ['http://evil.example/x.js?ada', 'http://evil.example'],
  ['https://evil.example/x.js', 'https://evil.example'],
  ['data:text/html,ada', 'data:'],
])('what %s blocked is named %s', (blockedURL, blocked) => {
  expect(violationOf({ blockedURL })?.blocked).toBe(blocked);
});

test.each([
  ['/', '/'],
  ['/plan/sub_1.html', '/plan/sub_1.html'],
  [`/${'a'.repeat(120)}`, `/${'a'.repeat(120)}`],
  [`/${'a'.repeat(121)}`, '(other)'],
  ['/ada@example.com', '(other)'],
  ['/ada@example.com/plan', '(other)'],
])('the page %s is named %s', (path, page) => {
  expect(violationOf({ documentURL: `https://www.selfsame.example${path}` })?.page).toBe(page);
});

test('a source that is no address has no name, and a page of http is one', () => {
  expect(violationOf({ sourceFile: 'eval at ada' })?.source).toBe('(other)');
  expect(violationOf({ documentURL: 'http://localhost:3000/plan' })?.page).toBe('/plan');
  expect(violationOf({ documentURL: 'about:blank' })).toBeUndefined();
});

test('an older browser’s directive is the effective one where it says so', () => {
  const violated = { 'document-uri': 'https://www.selfsame.example/', 'violated-directive': 'img-src x' };
  const directiveOf = (more: object) =>
    violationsIn({ 'csp-report': { ...violated, ...more } })[0]?.directive;
  expect(directiveOf({})).toBe('img-src');
  expect(directiveOf({ 'effective-directive': 'script-src' })).toBe('script-src');
});

test('the first crash of one of our pages is read, alone or among reports', () => {
  const crash = (url: string, body: object) => ({ type: 'crash', url, body });
  const ours = crash('https://www.selfsame.example/plan', { reason: 'oom' });
  expect(crashIn(ours)).toEqual({ type: 'crash', page: '/plan', reason: 'oom' });
  const others = [{ type: 'deprecation' }, crash('about:blank', { reason: 'oom' })];
  expect(crashIn([...others, ours])?.page).toBe('/plan');
  expect(crashIn([crash('about:blank', {})])).toBeUndefined();
  expect(crashIn({ ...ours, body: { id: 'SlowScript' } })?.reason).toBe('SlowScript');
  expect(crashIn({ ...ours, body: {} })?.reason).toBe('(unknown)');
});
