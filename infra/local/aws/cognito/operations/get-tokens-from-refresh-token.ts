import * as z from 'zod/mini';
import { authenticationResult } from '../authentication.ts';
import { member, operation } from '../operation.ts';

export const getTokensFromRefreshToken = operation({
  request: z.object({
    ClientId: member.ClientId,
    RefreshToken: member.Token,
    ClientMetadata: member.Metadata,
  }),
  run: async ({ pools, tokens }, { ClientId, RefreshToken }) => {
    const issued = await tokens.refresh(pools.client(ClientId), RefreshToken);
    const { AuthenticationResult } = authenticationResult(issued);
    return { AuthenticationResult };
  },
});
