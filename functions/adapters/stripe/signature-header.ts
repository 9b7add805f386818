const TIMESTAMP = /^t=\d{1,12}$/;
// HMAC-SHA256 in hexadecimal.
const SIGNATURE = /^v1=[0-9a-f]{64}$/;

/**
 * The timestamp and the v1 signatures of a `stripe-signature` header; undefined if either is missing.
 * Stripe's library throws a plain Error at an empty `v1=`. Without this filter, that Error becomes a 500.
 */
export function signatureHeader(header: string): string | undefined {
  const items = header.split(',');
  const timestamp = items.findLast((item) => TIMESTAMP.test(item));
  const signatures = items.filter((item) => SIGNATURE.test(item));
  return timestamp && signatures.length > 0 ? [timestamp, ...signatures].join(',') : undefined;
}
