import { sameText } from '../runtime/same-text.ts';
import { sha256 } from '../runtime/sha256.ts';

/** Whether the account was signed up in the browser with this secret. That browser keeps the password. */
export const signedUpIn = (secret: string, { browserHash }: { browserHash?: string | undefined }): boolean =>
  browserHash !== undefined && sameText(sha256(secret), browserHash);
