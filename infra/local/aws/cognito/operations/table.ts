import type { Operation } from '../operation.ts';
import { administration } from './administration.ts';
import { attributes } from './attributes.ts';
import { authentication } from './authentication.ts';
import { linkedProviders } from './linked-providers.ts';
import { password } from './password.ts';
import { registration } from './registration.ts';
import { sessions } from './sessions.ts';
import { unsupportedFeatures } from './unsupported-features.ts';

/** Every operation, by its name in the `X-Amz-Target` header. */
export const operations = new Map<string, Operation>(
  Object.entries({
    ...administration,
    ...attributes,
    ...authentication,
    ...linkedProviders,
    ...password,
    ...registration,
    ...sessions,
    ...unsupportedFeatures,
  }),
);
