import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';

const Claim = z.object({ email: z.string(), owner: z.string() });

/** The account that has confirmed each address, as read from the table Addresses. */
export interface Claims {
  /** The owner's user name, by address in lower case. */
  owners: ReadonlyMap<string, string>;
  /**
   * Addresses by user name. An owner has two during a change of address, or if the earlier one was not
   * released.
   */
  addresses: ReadonlyMap<string, readonly string[]>;
}

export async function readClaims({
  dynamodb,
  addressesTable,
}: {
  dynamodb: DynamoDBDocumentClient;
  addressesTable: string;
}): Promise<Claims> {
  const owners = new Map<string, string>();
  const addresses = new Map<string, string[]>();
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName: addressesTable })) {
    for (const item of Items) {
      const { email, owner } = Claim.parse(item);
      owners.set(email, owner);
      const owned = addresses.get(owner);
      if (owned) owned.push(email);
      else addresses.set(owner, [email]);
    }
  }
  return { owners, addresses };
}
