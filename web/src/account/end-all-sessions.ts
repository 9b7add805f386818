import * as cognito from 'aws-amplify/auth';
import { isolatedAmplify } from '../session/isolated-amplify.ts';
import { type Outcome, refused } from './outcome.ts';
import { accessToken } from '../session/session-lifecycle.ts';
import { signOutAndLeave } from '../session/sign-out.ts';
import { storedTokens, withTokenLock } from '../session/tokens.ts';

const STILL_SIGNED_IN = `We couldn't sign you out everywhere just now. Please try again.`;

/**
 * Ends every session of the account, this session last, and loads the sign-in page. Resolves only on failure.
 */
export async function signOutEverywhere(): Promise<Outcome> {
  try {
    // An expired token, for example after the computer slept, couldn't end anything.
    if ((await accessToken()).kind !== 'token') return refused(STILL_SIGNED_IN);
    const { context, tokenStore } = await isolatedAmplify();
    await withTokenLock(async () => {
      const tokens = await storedTokens();
      if (tokens) await tokenStore.storeTokens(tokens);
      await cognito.signOut(context, { global: true });
    });
    // Amplify doesn't report whether Cognito got the request, and a thief might stay signed in.
    if (!(await isRevoked())) return refused(STILL_SIGNED_IN);
    await signOutAndLeave(null, 'signed-out-everywhere');
    return { kind: 'done' };
  } catch {
    return refused(STILL_SIGNED_IN);
  }
}

async function isRevoked(): Promise<boolean> {
  try {
    await withTokenLock(() => cognito.fetchUserAttributes());
    return false;
  } catch (error) {
    // Amplify throws the second error itself, after it has deleted tokens that it couldn't refresh.
    return (
      error instanceof Error &&
      ['NotAuthorizedException', 'UserUnAuthenticatedException'].includes(error.name)
    );
  }
}
