import { Amplify, createAmplifyContext } from 'aws-amplify';
import { createUserPoolsTokenProvider } from 'aws-amplify/adapter-core';
import { DefaultTokenStore } from 'aws-amplify/auth/cognito';
import { configureAmplify } from './tokens.ts';

/** An Amplify with tokens in memory. Signing in or out with it doesn't touch the session's tokens. */
export async function isolatedAmplify() {
  await configureAmplify();
  const { Auth } = Amplify.getConfig();
  if (!Auth) throw new Error('Amplify is not configured.');
  const storage = inMemoryStorage();
  const tokenStore = new DefaultTokenStore();
  tokenStore.setAuthConfig(Auth);
  tokenStore.setKeyValueStorage(storage);
  const tokenProvider = createUserPoolsTokenProvider(Auth, storage);
  return { context: createAmplifyContext({ Auth }, { Auth: { tokenProvider } }), tokenStore };
}

function inMemoryStorage() {
  const items = new Map<string, string>();
  return {
    getItem: async (key: string) => items.get(key) ?? null,
    setItem: async (key: string, value: string) => void items.set(key, value),
    removeItem: async (key: string) => void items.delete(key),
    clear: async () => items.clear(),
  };
}
