import type { GitHub } from '../adapters/github.ts';
import type { SigningKey } from '../adapters/kms.ts';
import type { Seal } from './seal.ts';

/** What the steps of a sign-in share. */
export interface Issuer {
  /** Our name and address, without a trailing slash; the steps are below it. */
  url: string;
  /** The one address that codes are sent to. */
  cognitoCallback: string;
  github: GitHub;
  key: SigningKey;
  secrets: () => Promise<{ clientSecret: string; seal: Seal }>;
}

/** Where GitHub sends people back to; registered there. */
export const githubCallback = ({ url }: Issuer): string => `${url}/callback`;
