import { useLayoutEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { ProofToken } from '../../../schemas/shapes/proof-token.ts';
import { useHydrated } from './hydrated.ts';
import { LinkToken, useRouterState } from './use-router-state.ts';

/** The token after the `#` of a mail's link. */
export function useTokenInHash(): string {
  const { pathname, search, hash } = useLocation();
  return useLinkToken(hash === '' ? null : hash.slice(1), pathname + search);
}

/**
 * The token of a mail's link; empty without a whole one, and before hydration. Moves the token at once from
 * the address bar to the history entry, for a reload. `given`: the token in the address; null if the address
 * has none. `clean`: the address without it.
 */
export function useLinkToken(given: string | null, clean: string): string {
  const { state } = useLocation() as { state: object | null };
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const held = useRouterState(LinkToken)?.token ?? '';
  const token = given === null ? held : (ProofToken.safeParse(given).data ?? '');
  useLayoutEffect(() => {
    if (given !== null) void navigate(clean, { replace: true, state: { ...state, token } });
  }, [given, token, clean, navigate, state]);
  return hydrated ? token : '';
}
