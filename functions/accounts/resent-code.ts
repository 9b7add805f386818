// The trigger of Cognito's mails imports this file on demand: only a code that is sent again needs it.
import { addressLimits } from '../adapters/dynamodb/address-limits.ts';
import { isSuppressed } from '../adapters/ses.ts';
import { type MailRefusal, refusalToMail } from './refusal-to-mail.ts';

/** `refusalToMail` for another mail of a sign-up. `asksSes`: whether the pool sends through SES. */
export const refusalToMailAgain = (
  limits: string,
  { email, again, asksSes }: { email: string; again: boolean; asksSes: boolean },
): Promise<MailRefusal | undefined> =>
  refusalToMail(
    { limits: addressLimits(limits), mail: asksSes ? { isSuppressed } : undefined },
    { purpose: 'sign-up', of: email, again },
    new Date(),
  );
