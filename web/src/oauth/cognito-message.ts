import { eitherOf, type Provider, providerNames } from '../../../schemas/providers.ts';
import { refusals } from '../../../schemas/refusal.ts';
import { triggerRefusals } from '../../../schemas/trigger-refusals.ts';

// How Cognito words an error of a provider: `<provider> Error - <status> <code> <description>`. The
// description may be missing. 'error getting token' is Cognito's own text for an answer that it can't read.
const PROVIDER_FAILED = new RegExp(
  String.raw`^(${providerNames.join('|')}) Error - \d{3} (\w+)(?: (?!getting )(.+))?`,
);

// GitHub's sign-ins pass through our own functions (functions/github-oidc), whose descriptions are for users
// if they have one of these codes. What Google says is for developers.
const OURS: Provider = 'GitHub';
const OUR_CODES: readonly string[] = [
  'access_denied',
  'invalid_grant',
  'server_error',
  'temporarily_unavailable',
];

const TRIGGER_FAILED = /^(?:PreSignUp|PostConfirmation|CustomMessage) failed with error (.+)$/s;

const providerSentences = (provider: Provider): string[] => [
  `${provider} has no verified e-mail address for this account. Verify one at ${provider} and try again.`,
  `The e-mail address of this ${provider} account cannot be used here.`,
];

const TRIGGER_SENTENCES: ReadonlySet<string> = new Set([
  ...Object.values(triggerRefusals),
  ...providerNames.flatMap(providerSentences),
  `You can sign in with ${eitherOf(providerNames)} only.`,
  refusals.internal.sentence,
]);

/**
 * The sentence of our trigger in Cognito's message `<trigger> failed with error <sentence>.`, to which
 * Cognito adds a full stop. Null for any other message, that of a trigger that crashed included.
 */
export function triggerSentence(message: string): string | null {
  const [, thrown = ''] = TRIGGER_FAILED.exec(message.trim()) ?? [];
  const sentence = thrown.trim().replace(/\.\.$/, '.');
  return TRIGGER_SENTENCES.has(sentence) ? sentence : null;
}

/** What the user reads of an error at the hosted domain; empty if the message is none that we know. */
export function providerSentence(message: string): string {
  const [, provider, code = '', description] = PROVIDER_FAILED.exec(message) ?? [];
  if (provider === undefined) return triggerSentence(message) ?? '';
  if (provider === OURS && description && OUR_CODES.includes(code)) return description.trim();
  return `${provider} could not sign you in. Please check that your e-mail address is verified there, and try again.`;
}
