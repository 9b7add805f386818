/**
 * The reasons for which our GitHub issuer (`functions/github-oidc`) sends a browser to the sign-in page
 * instead of back to Cognito, as `/login?fault=<reason>`.
 */
export const providerFaults = [
  /** Ten minutes have passed since the sign-in began, or it began in another browser or a later tab. */
  'github-expired',
  /** The request was faulty, or we have failed. */
  'github-failed',
] as const;

export type ProviderFault = (typeof providerFaults)[number];

export const isProviderFault = (text: string | null): text is ProviderFault =>
  providerFaults.some((fault) => fault === text);
