import * as z from 'zod/mini';
import { guessedName } from '../authentication.ts';
import { simulatedDelivery, type CodeDeliveryDetails } from '../delivery.ts';
import { usernameNotFound } from '../errors.ts';
import { member } from '../operation.ts';
import type { Parts } from '../parts.ts';
import type { UserPoolClient } from '../pools.ts';
import type { User } from '../users.ts';

/** What anybody says who asks for a code to be sent. */
export const CodeRequest = z.object({
  ClientId: member.ClientId,
  Username: member.Username,
  ClientMetadata: member.Metadata,
});

interface Asking {
  client: UserPoolClient;
  /** Undefined where there is nobody, and the client doesn't say so. */
  user: User | undefined;
  /** Under which name the asking is counted. */
  guessed: string;
  metadata: Record<string, string> | undefined;
  /** The answer of a client that hides who has an account. */
  simulated: () => { CodeDeliveryDetails: CodeDeliveryDetails };
}

/** Whom a code is asked for. Nothing is counted yet. */
export function codeAddressee(
  { pools, users }: Parts,
  { ClientId, ClientMetadata, Username }: z.infer<typeof CodeRequest>,
): Asking {
  const client = pools.client(ClientId);
  const user = users.find(client.pool, Username);
  if (!user && !client.hidesUserExistence) throw usernameNotFound();
  return {
    client,
    user,
    guessed: guessedName(client.pool, user, Username),
    metadata: ClientMetadata ?? undefined,
    simulated: () => ({ CodeDeliveryDetails: simulatedDelivery(client.pool, Username) }),
  };
}
