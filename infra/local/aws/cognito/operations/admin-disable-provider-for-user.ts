import * as z from 'zod/mini';
import { CognitoError, userDoesNotExist } from '../errors.ts';
import { member, operation } from '../operation.ts';

/** Removes a provider's account from the user that it is linked to. */
export const adminDisableProviderForUser = operation({
  caller: 'signed',
  request: z.object({
    UserPoolId: member.UserPoolId,
    User: z.object({
      ProviderName: z.string(),
      ProviderAttributeName: z.literal('Cognito_Subject', 'Member must be Cognito_Subject'),
      ProviderAttributeValue: z.string(),
    }),
  }),
  run: ({ clock, pools, users }, { UserPoolId, User }) => {
    const pool = pools.pool(UserPoolId);
    const { ProviderName: providerName, ProviderAttributeValue: userId } = User;
    const user = users.byIdentity(pool, { providerName, userId });
    if (!user) throw userDoesNotExist();
    if (user.status === 'EXTERNAL_PROVIDER') {
      throw new CognitoError(
        'InvalidParameterException',
        'The local Cognito disables no account that a provider made.',
      );
    }
    const identities = user.identities.filter(
      (identity) => identity.providerName !== providerName || identity.userId !== userId,
    );
    users.put({ ...user, identities, modifiedAt: clock.now().toISOString() });
    return {};
  },
});
