import { endpoint } from '../../schemas/routes/confirm-sign-up.ts';
import { cognitoSignUps, type SignUps } from '../adapters/cognito/sign-ups.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

/**
 * Confirms a sign-up, and sets the name and password of whoever confirms it. If the second half fails, the
 * account is confirmed and has no usable password: a reset sets one.
 */
export const confirmSignUp = ({ signUps }: { signUps: SignUps }) =>
  route(endpoint, async ({ email, code, name, password }) => {
    await signUps.confirm(email, code);
    await signUps.complete(email, { name, password });
    return { success: true as const };
  });

export const handler = withEnvironment(endpoint, (environment) =>
  confirmSignUp({ signUps: cognitoSignUps(environment.USER_POOL_ID, environment.SITE_CLIENT_ID) }),
);
