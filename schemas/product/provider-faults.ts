import { isProviderKey, type ProviderKey } from './providers.ts';

/** Reasons for which our bridge to a provider sends a browser to the sign-in page instead of to Cognito. */
export const faultReasons = [
  /** Ten minutes have passed since the sign-in began, or it began in another browser or a later tab. */
  'expired',
  /** The request was faulty, or we have failed. */
  'failed',
] as const;

type FaultReason = (typeof faultReasons)[number];

/** The parameter `fault` of the sign-in page. */
export type ProviderFault = `${ProviderKey}-${FaultReason}`;

/** Reads the parameter `fault`. Null for any other text. */
export function providerFaultIn(text: string | null): { provider: ProviderKey; reason: FaultReason } | null {
  const [provider, given, ...rest] = text?.split('-') ?? [];
  const reason = faultReasons.find((each) => each === given);
  return isProviderKey(provider) && reason && rest.length === 0 ? { provider, reason } : null;
}
