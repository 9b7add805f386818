import { Amplify, createAmplifyContext } from 'aws-amplify';
import { createUserPoolsTokenProvider } from 'aws-amplify/adapter-core';
import { signIn } from 'aws-amplify/auth';
import { DefaultTokenStore } from 'aws-amplify/auth/cognito';
import { plainText } from '../../../schemas/plain-text.ts';
import { configureAmplify, type StoredTokens } from './tokens.ts';
import { within } from './within.ts';

// Milliseconds for three requests. Amplify gives them no limit.
const LIMIT = 40_000;

/**
 * Signs in with an Amplify that has its tokens in memory, and stores nothing: an answer that comes too late
 * changes nothing. `tokens`: null if the sign-in needs another step.
 */
export async function signInApart(
  username: string,
  password: string,
): Promise<{ tokens: StoredTokens | null; nextStep: string }> {
  await configureAmplify();
  const { Auth } = Amplify.getConfig();
  if (!Auth) throw new Error('Amplify is not configured.');
  const storage = inMemoryStorage();
  const tokenStore = new DefaultTokenStore();
  tokenStore.setAuthConfig(Auth);
  tokenStore.setKeyValueStorage(storage);
  const tokenProvider = createUserPoolsTokenProvider(Auth, storage);
  const context = createAmplifyContext({ Auth }, { Auth: { tokenProvider } });
  const { nextStep } = await within(LIMIT, signIn(context, { username, password: plainText(password) }));
  return { tokens: await tokenStore.loadTokens(), nextStep: nextStep.signInStep };
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
