import { CognitoError } from '../errors.ts';
import { operation } from '../operation.ts';
import { findCodeRecipient, CodeRequest } from './code-recipient.ts';

export const resendConfirmationCode = operation({
  request: CodeRequest,
  run: async (parts, request) => {
    const { client, user, guessed, metadata, simulated } = findCodeRecipient(parts, request);
    if (user && user.status !== 'UNCONFIRMED') {
      throw new CognitoError('InvalidParameterException', 'User is already confirmed.');
    }
    parts.attempts.count('send:sign-up', guessed);
    if (!user) return simulated();
    const CodeDeliveryDetails = await parts.delivery.sendCode({
      client,
      user,
      address: user.attributes['email'] ?? '',
      purpose: 'sign-up',
      source: 'CustomMessage_ResendCode',
      metadata,
    });
    return { CodeDeliveryDetails };
  },
});
