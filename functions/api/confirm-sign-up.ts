import { endpoint } from '../../schemas/routes/confirm-sign-up.ts';
import { isWithinLimit } from '../accounts/within-limit.ts';
import { cognitoSignUps, type SignUps } from '../adapters/cognito/sign-ups.ts';
import { type AddressLimits, addressLimits } from '../adapters/dynamodb/address-limits.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

/**
 * Confirms a sign-up, and sets the name and password of whoever confirms it. If the second half fails, the
 * account is confirmed and has no usable password: a reset sets one. Each try is counted for the address:
 * Cognito counts for the account, and anybody can have it made again.
 */
export const confirmSignUp = ({ signUps, limits }: { signUps: SignUps; limits: AddressLimits }) =>
  route(endpoint, async ({ email, code, name, password }, { now }) => {
    if (!(await isWithinLimit(limits, 'code', email, now))) throw refusal('too-many-tries');
    await signUps.confirm(email, code);
    await signUps.complete(email, { name, password });
    return { success: true as const };
  });

export const handler = withEnvironment(endpoint, (environment) =>
  confirmSignUp({
    signUps: cognitoSignUps(environment.USER_POOL_ID, environment.SITE_CLIENT_ID),
    limits: addressLimits(environment.ADDRESS_CHANGES_TABLE),
  }),
);
