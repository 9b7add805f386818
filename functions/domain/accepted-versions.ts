import { legalVersions } from '../../schemas/product/legal-versions.ts';

/** The attributes of the row of a new account: making an account accepts the texts in force. */
export const acceptedVersions = {
  accepted_terms: legalVersions.terms.version,
  accepted_privacy: legalVersions.privacy.version,
} as const;
