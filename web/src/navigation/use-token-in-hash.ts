import { useLayoutEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/**
 * The token after the `#` of a mail's link, or an empty text, and a function that forgets the token. Removes
 * the token from address bar and history at once. `path`: the page's.
 */
export function useTokenInHash(path: string): [token: string, forget: () => void] {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState('');
  // Another link in the tab has another token.
  const carried = hash.slice(1);
  if (carried && carried !== token) setToken(carried);
  useLayoutEffect(() => {
    if (carried) void navigate(path, { replace: true });
  }, [carried, navigate, path]);
  return [token, () => setToken('')];
}
