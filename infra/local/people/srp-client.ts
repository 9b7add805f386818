import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { bytesOf, fromHex, g, hashToNumber, k, LABEL, power, sha256 } from '../aws/cognito/srp-group.ts';

/** Cognito's challenge for a client's public value. Hexadecimal, except for the user and the block. */
export interface Challenge {
  USER_ID_FOR_SRP: string;
  SRP_B: string;
  SALT: string;
  SECRET_BLOCK: string;
}

/** The client's half of Cognito's SRP-6a. Amplify's own, which sign-in's tests use, takes half a second. */
export function srpClient(): {
  SRP_A: string;
  prove: (poolId: string, password: string, to: Challenge) => Proof;
} {
  const a = fromHex(randomBytes(32).toString('hex'));
  const A = power(g, a);
  return {
    SRP_A: A.toString(16),
    prove: (poolId, password, { USER_ID_FOR_SRP: user, SRP_B, SALT, SECRET_BLOCK }) => {
      const pool = poolId.split('_')[1] ?? '';
      const B = fromHex(SRP_B);
      const u = hashToNumber(bytesOf(A), bytesOf(B));
      const inner = sha256(Buffer.from(`${pool}${user}:${password}`));
      const x = hashToNumber(bytesOf(fromHex(SALT)), inner);
      const secret = power(B - k * power(g, x), a + u * x);
      const key = hkdfSync('sha256', bytesOf(secret), bytesOf(u), LABEL, 16);
      const TIMESTAMP = timestamp(new Date());
      const PASSWORD_CLAIM_SIGNATURE = createHmac('sha256', Buffer.from(key))
        .update(pool + user)
        .update(Buffer.from(SECRET_BLOCK, 'base64'))
        .update(TIMESTAMP)
        .digest('base64');
      return {
        USERNAME: user,
        PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
        PASSWORD_CLAIM_SIGNATURE,
        TIMESTAMP,
      };
    },
  };
}

type Proof = Record<
  'USERNAME' | 'PASSWORD_CLAIM_SECRET_BLOCK' | 'PASSWORD_CLAIM_SIGNATURE' | 'TIMESTAMP',
  string
>;

/** Like `Tue Apr 7 01:02:03 UTC 2026`. */
function timestamp(at: Date): string {
  const [weekday, day, month, year, time] = at.toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${Number(day)} ${time} UTC ${year}`;
}
