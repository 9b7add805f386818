import { providerNames } from '../../../schemas/providers.ts';

// How Cognito words an error of a provider: `<provider> Error - <status> <code> <description>`. The
// description may be missing. 'error getting token' is Cognito's own text for an answer that it can't read.
const PROVIDER_FAILED = new RegExp(
  String.raw`^(${providerNames.join('|')}) Error - \d{3} \w+(?: (?!getting )(.+))?`,
);

/**
 * Cognito's message without its wrapping. A sentence of our pre-sign-up trigger arrives as
 * `PreSignUp failed with error <sentence>.`, with a full stop added to the sentence's own.
 */
export function plainMessage(message: string): string {
  const [, provider, description] = PROVIDER_FAILED.exec(message) ?? [];
  if (provider) {
    if (description) return description.trim();
    return `${provider} could not sign you in. Please check that your e-mail address is verified there, and try again.`;
  }
  return message
    .replace(/^PreSignUp failed with error /, '')
    .trim()
    .replace(/\.\.$/, '.');
}
