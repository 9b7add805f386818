import { expect, test } from 'vitest';
import { forgetRouterState } from '../../../../../web/src/navigation/use-router-state.ts';

test.each([
  ['/reset-password', { idx: 1 }],
  ['/dashboard', { idx: 1, usr: { from: '/pricing' } }],
])('a page that forgets its state, while the user is at %s, leaves %j', (pathname, left) => {
  const history = {
    state: { idx: 1, usr: { from: '/pricing' } } as unknown,
    replaceState: (state: unknown) => {
      history.state = state;
    },
  };
  forgetRouterState('/reset-password', { location: { pathname }, history });
  expect(history.state).toEqual(left);
});
