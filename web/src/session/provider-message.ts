/** Said where the provider says nothing that a person could use. */
export const WENT_WRONG = 'Something went wrong. Please try again.';

// What Cognito says where a provider has answered it with an error: `<provider> Error - <status> <code> <description>`. Not every
// provider describes; what Cognito itself says of an answer it can't read is 'error getting token'.
const PROVIDER_FAILED = /^(Google|GitHub) Error - \d{3} \w+(?: (?!getting )(.+))?/;

/**
 * What Cognito says, without its wrapping: a sentence of our own trigger comes back as
 * `PreSignUp failed with error <sentence>.`, with a full stop whether the sentence has one or not.
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
