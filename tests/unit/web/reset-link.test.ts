import { describe, expect, test } from 'vitest';
import { resetLinkOf } from '../../../web/src/session/reset-link.ts';

const link = { code: '123456', userName: 'ada' };
const read = (query: string, held?: Parameters<typeof resetLinkOf>[1]) =>
  resetLinkOf(new URLSearchParams(query), held);

describe('the reset page', () => {
  test('reads code and user name from a link', () => {
    expect(read('?access_token=123456&refresh_token=ada')).toEqual(link);
  });

  test.each(['?access_token=123456', '?refresh_token=ada', '?access_token=&refresh_token=ada', '?email=a'])(
    'finds a part missing in %s',
    (query) => {
      expect(read(query)).toBe('invalid');
    },
  );

  test.each([[link], ['invalid' as const]])('knows after a reload that the link was %j', (held) => {
    expect(read('', held)).toEqual(held);
  });

  test('takes a typed code if it was opened without a link', () => {
    expect(read('')).toBe('none');
  });
});
