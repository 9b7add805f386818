import { CognitoError, refuseDisabled } from '../errors.ts';
import { operation } from '../operation.ts';
import { findCodeRecipient, CodeRequest } from './code-recipient.ts';

export const forgotPassword = operation({
  request: CodeRequest,
  run: async (parts, request) => {
    const { client, user, guessed, metadata, simulated } = findCodeRecipient(parts, request);
    if (user?.status === 'EXTERNAL_PROVIDER') {
      throw new CognitoError('NotAuthorizedException', 'User password cannot be reset in the current state.');
    }
    if (user) refuseDisabled(user);
    parts.attempts.count('send:reset', guessed);
    const reachable = user?.attributes['email_verified'] === 'true' && user.password !== undefined;
    if (!user || !reachable) {
      if (client.hidesUserExistence) return simulated();
      throw new CognitoError(
        'InvalidParameterException',
        'Cannot reset password for the user as there is no registered/verified email or phone_number',
      );
    }
    const CodeDeliveryDetails = await parts.delivery.sendCode({
      client,
      user,
      address: user.attributes['email'] ?? '',
      purpose: 'reset',
      source: 'CustomMessage_ForgotPassword',
      metadata,
    });
    return { CodeDeliveryDetails };
  },
});
