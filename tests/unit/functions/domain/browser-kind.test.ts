import { expect, test } from 'vitest';
import { browserKind } from '../../../../functions/domain/browser-kind.ts';

const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko)';
test.each([
  ['(Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0', 'Firefox on Windows'],
  [`(Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Version/26.1 Safari/605.1.15`, 'Safari on Mac'],
  [
    `(iPhone; CPU iPhone OS 19_0 like Mac OS X) ${SAFARI} CriOS/156.0 Mobile/15E148 Safari/604.1`,
    'Chrome on iPhone',
  ],
  [`(Windows NT 10.0; Win64; x64) ${CHROME} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`, 'Edge on Windows'],
  [
    `(Linux; Android 10; K) ${CHROME} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [`(X11; Linux x86_64) ${CHROME} Chrome/156.0.0.0 Safari/537.36 OPR/120.0`, 'Opera on Linux'],
  [`(X11; CrOS x86_64 14541.0.0) ${CHROME} Chrome/156.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
])('the user agent “Mozilla/5.0 %s” is called “%s”', (userAgent, kind) => {
  expect(browserKind(`Mozilla/5.0 ${userAgent}`)).toBe(kind);
});

test('a program that is no browser of ours is called a browser, whatever it writes', () => {
  const advertisement = '<a href="https://evil.example">Your account is locked</a> on Windows';
  const kinds = ['curl/8.5', undefined, advertisement].map(browserKind);
  expect(kinds).toEqual(['A browser', 'A browser', 'A browser on Windows']);
});
