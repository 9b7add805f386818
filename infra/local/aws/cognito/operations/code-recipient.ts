import * as z from 'zod/mini';
import { guessedName } from '../authentication.ts';
import { simulatedDelivery, type CodeDeliveryDetails } from '../delivery.ts';
import { member } from '../operation.ts';
import type { Parts } from '../parts.ts';
import type { UserPoolClient } from '../pools.ts';
import type { User } from '../users.ts';

/** The request of operations that send a code. */
export const CodeRequest = z.object({
  ClientId: member.ClientId,
  Username: member.Username,
  ClientMetadata: member.Metadata,
});

interface CodeRecipient {
  client: UserPoolClient;
  /** Undefined if there is no such user, which the response hides. */
  user: User | undefined;
  /** The key that the request is counted under. */
  guessed: string;
  metadata: Record<string, string> | null | undefined;
  /** The response about an unknown user. */
  simulated: () => { CodeDeliveryDetails: CodeDeliveryDetails };
}

/** Finds the user that a code is requested for, without counting the request. */
export function findCodeRecipient(
  { pools, users }: Parts,
  { ClientId, ClientMetadata, Username }: z.infer<typeof CodeRequest>,
): CodeRecipient {
  const client = pools.client(ClientId);
  const user = users.find(client.pool, Username);
  return {
    client,
    user,
    guessed: guessedName(client.pool, user, Username),
    metadata: ClientMetadata,
    simulated: () => ({ CodeDeliveryDetails: simulatedDelivery(client.pool, Username) }),
  };
}
