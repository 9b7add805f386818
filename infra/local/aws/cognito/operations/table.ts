import type { Operation } from '../operation.ts';
import { administration } from './administration.ts';
import { attributeOperations } from './attributes.ts';
import { authentication } from './authentication.ts';
import { linkedProviders } from './linked-providers.ts';
import { registration } from './registration.ts';
import { sessionOperations } from './sessions.ts';

/** Every operation, by its name in the `X-Amz-Target` header. */
export const operations = new Map<string, Operation>(
  Object.entries({
    ...administration,
    ...attributeOperations,
    ...authentication,
    ...linkedProviders,
    ...registration,
    ...sessionOperations,
  }),
);
