import { MAIL_AGAIN, triggerRefusals } from '../../../schemas/trigger-refusals.ts';
import { callCognito } from '../session/call-cognito.ts';
import { isRefusedByTrigger } from './auth-sentence.ts';

/** The user names of requests that were refused because of a complaint. */
const stopped = new Set<string>();

/** Calls Cognito for a mail. A refusal because of a complaint says so, and the next press lifts it. */
export async function callForMail(
  operation: 'SignUp' | 'ResendConfirmationCode',
  input: { Username: string; [field: string]: unknown },
): Promise<unknown> {
  const isAgain = stopped.has(input.Username);
  try {
    return await callCognito(operation, { ...input, ...(isAgain && { ClientMetadata: MAIL_AGAIN }) });
  } catch (error) {
    if (isRefusedByTrigger(error, triggerRefusals.complained)) stopped.add(input.Username);
    throw error;
  }
}
