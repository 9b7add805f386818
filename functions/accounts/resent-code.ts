// The trigger of Cognito's mails imports this file on demand: only a code that is sent again needs it.
import { cognitoUserPool } from '../adapters/cognito/user-pool.ts';
import { addressLimits } from '../adapters/dynamodb/address-limits.ts';
import { addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { isSuppressed } from '../adapters/ses.ts';
import { removeForSignUp } from './address-ownership.ts';
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

/** `removeForSignUp` in a pool and a table. */
export const removeInPool = (addresses: string, poolId: string, username: string): Promise<boolean> =>
  removeForSignUp({ pool: cognitoUserPool(poolId), addresses: addressesTable(addresses) }, username);
