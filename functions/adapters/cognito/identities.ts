import * as z from 'zod/mini';

const Identities = z.array(z.object({ providerName: z.string(), userId: z.string() }));

/** The providers' accounts in the attribute `identities`, which Cognito writes as JSON. */
export const identitiesIn = (attribute: string | undefined): z.infer<typeof Identities> =>
  Identities.parse(JSON.parse(attribute ?? '[]'));
