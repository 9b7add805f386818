import { eitherOf, type Provider, providerNames } from '../../../schemas/product/providers.ts';
import { refusals } from '../../../schemas/refusal.ts';
import { triggerRefusals } from '../../../schemas/trigger-refusals.ts';

// Cognito words a provider's error as `<provider> Error - <status> <code> <description>`. The description may
// be missing. 'error getting token' is Cognito's own text for an answer that it can't read.
const PROVIDER_FAILED = new RegExp(
  String.raw`^(${providerNames.join('|')}) Error - \d{3} (\w+)(?: (?!getting )(.+))?`,
);

// GitHub's sign-ins pass through our own functions (functions/github-oidc), whose descriptions are for users
// if they have one of these codes. Google's descriptions are for developers.
const OURS: Provider = 'GitHub';
const OUR_CODES: readonly string[] = [
  'access_denied',
  'invalid_grant',
  'server_error',
  'temporarily_unavailable',
];

const TRIGGER_FAILED = /^(?:PreSignUp|PostConfirmation|CustomMessage) failed with error (.+)$/s;

const providerSentences = (provider: Provider): string[] => [
  `${provider} has no verified email address for this account. Verify one at ${provider} and try again.`,
  `The email address of this ${provider} account cannot be used here.`,
];

const TRIGGER_SENTENCES: ReadonlySet<string> = new Set([
  ...Object.values(triggerRefusals),
  ...providerNames.flatMap(providerSentences),
  `You can sign in with ${eitherOf(providerNames)} only.`,
  refusals.internal.sentence,
]);

/**
 * The sentence of our trigger in Cognito's message `<trigger> failed with error <sentence>.`, to which
 * Cognito adds a period. Null for any other message, including that of a crashed trigger.
 */
export function triggerSentence(message: string): string | null {
  const [, thrown = ''] = TRIGGER_FAILED.exec(message.trim()) ?? [];
  const sentence = thrown.trim().replace(/\.\.$/, '.');
  return TRIGGER_SENTENCES.has(sentence) ? sentence : null;
}

/** The sentence for the user about an error at the hosted domain; empty for an unknown message. */
export function providerSentence(message: string): string {
  const [, provider, code = '', description] = PROVIDER_FAILED.exec(message) ?? [];
  if (provider === undefined) return triggerSentence(message) ?? '';
  if (provider === OURS && description && OUR_CODES.includes(code)) return description.trim();
  return `${provider} could not sign you in. Please try again. If that fails, check that your email address is verified there.`;
}
