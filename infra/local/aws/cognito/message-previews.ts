import { messageSources, type WrittenMail } from './delivery.ts';
import { CognitoError } from './errors.ts';
import type { Parts } from './parts.ts';
import type { UserPool } from './pools.ts';
import type { CustomMessageSource } from './triggers.ts';
import type { User } from './users.ts';

/** A mail that Cognito can send, or the reason why the pool's trigger refuses it. */
export type MessagePreview = { source: CustomMessageSource } & (
  | { kind: 'mail'; mail: WrittenMail }
  | { kind: 'refused'; reason: string }
);

/**
 * The current text of each of Cognito's mails. Runs the pool's trigger for a made-up user; nothing is sent.
 */
export const previewMessages = ({ delivery }: Parts, pool: UserPool): Promise<MessagePreview[]> =>
  Promise.all(
    messageSources.map(async (source): Promise<MessagePreview> => {
      try {
        return { source, kind: 'mail', mail: await delivery.preview(pool, exampleUser(pool), source) };
      } catch (error) {
        if (!(error instanceof CognitoError)) throw error;
        return { source, kind: 'refused', reason: error.message };
      }
    }),
  );

const EXAMPLE = '0b5d3a1e-1111-4222-8333-444455556666';

const exampleUser = ({ id }: UserPool): User => ({
  poolId: id,
  username: EXAMPLE,
  status: 'CONFIRMED',
  attributes: { sub: EXAMPLE, email: 'ada@example.com', email_verified: 'true', name: 'Ada Lovelace' },
  identities: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  modifiedAt: '2026-01-01T00:00:00.000Z',
});
