import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mailboxOf } from '../../domain/mailbox.ts';
import { sha256 } from '../../runtime/sha256.ts';
import { conditionHolds, dynamodb } from './client.ts';

/**
 * The number of times that anybody may do something to an address in a day or an hour (UTC), whoever does it
 * and however often the account behind it is made again. All spellings of a mailbox share one count
 * (`functions/domain/mailbox.ts`). A user who mistypes, asks for other codes and resets the password stays
 * far below.
 */
export const LIMITS = {
  /** Mails that a stranger can cause: to sign up, with another code, to reset a password. */
  mail: { most: 10, per: 'day' },
  /** Sign-ups that are deleted on request, so that the address can sign up again. */
  removal: { most: 10, per: 'day' },
  /**
   * Codes that are tried for a sign-up. A code has six digits: the tries of a day find one in 8,000. A
   * stranger who spends them keeps the owner waiting for the hour, not for the day. Cognito allows as many.
   */
  code: { most: 5, per: 'hour' },
  /** Mails about a sign-in with another browser, which only a signed-in user can cause. */
  'sign-in': { most: 10, per: 'day' },
} as const;

const LENGTHS = { day: '2030-01-15'.length, hour: '2030-01-15T12'.length };

/** The day or hour in which `kind` is counted. */
export const periodOf = (kind: keyof typeof LIMITS, now: Date): string =>
  now.toISOString().slice(0, LENGTHS[LIMITS[kind].per]);

export interface AddressLimits {
  /** Counts one more. False, and counts nothing, if the limit is reached. */
  take(kind: keyof typeof LIMITS, email: string, now: Date): Promise<boolean>;
}

const DAY = 86_400;

/**
 * Counters in the table AddressChanges, which removes them after two days. Each is counted in a single write,
 * so that concurrent calls can't pass the limit. The key has a hash instead of the address: the table keeps
 * no address that only a stranger has typed.
 */
export const addressLimits = (table: string): AddressLimits => ({
  take(kind, email, now) {
    const hash = sha256(mailboxOf(email));
    return conditionHolds(() =>
      dynamodb.send(
        new UpdateCommand({
          TableName: table,
          Key: { id: `${kind}/${periodOf(kind, now)}/${hash}` },
          UpdateExpression: 'ADD taken :one SET expires_at = :end',
          ConditionExpression: 'attribute_not_exists(taken) OR taken < :limit',
          ExpressionAttributeValues: {
            ':one': 1,
            ':limit': LIMITS[kind].most,
            ':end': Math.floor(now.getTime() / 1000) + 2 * DAY,
          },
        }),
      ),
    );
  },
});
