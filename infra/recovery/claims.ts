import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';

const Claim = z.object({ email: z.string(), owner: z.string() });

/** Which account has proved which address, as the table Addresses said when it was read. */
export interface Claims {
  /** By address in lower case: the owner's user name. */
  owners: ReadonlyMap<string, string>;
  /** By user name. An owner has two while its address changes, or if the earlier one was not released. */
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
