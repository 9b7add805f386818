import { providerInPool, providerKeys, providers } from '../../../schemas/product/providers.ts';
import { refusals } from '../../../schemas/refusal.ts';
import { otherWayIn, profileRefusals, triggerRefusals } from '../../../schemas/trigger-refusals.ts';

// Cognito words a provider's error as `<provider> Error - <status> <code> <description>`. The description may
// be missing. 'error getting token' is Cognito's own text for an answer that it can't read.
const PROVIDER_FAILED = /^([A-Za-z]+) Error - \d{3} (\w+)(?: (?!getting )(.+))?/;

// The descriptions of our bridge to a provider are for users if they have one of these codes. Providers' own
// descriptions are for developers.
const OUR_CODES: readonly string[] = [
  'access_denied',
  'invalid_grant',
  'server_error',
  'temporarily_unavailable',
];

// The token endpoint adds Cognito's own service, status and request in brackets.
const TRIGGER_FAILED =
  /^(?:PreSignUp|PostConfirmation|CustomMessage|PreTokenGeneration) failed with error (.+?)(?: \(Service: [^)]*\))?$/s;

const TRIGGER_SENTENCES: ReadonlySet<string> = new Set([
  ...Object.values(triggerRefusals),
  ...providerKeys.flatMap((provider) => Object.values(profileRefusals(provider))),
  ...(['password', ...providerKeys] as const).map(otherWayIn),
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
  const [, poolName = '', code = '', description] = PROVIDER_FAILED.exec(message) ?? [];
  const provider = providerInPool(poolName);
  if (provider === undefined) return triggerSentence(message) ?? '';
  const { name, bridged } = providers[provider];
  if (bridged && description && OUR_CODES.includes(code)) return description.trim();
  return `${name} could not sign you in. Please try again. If that fails, check that your email address is verified there.`;
}
