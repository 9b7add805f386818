/** ISO 8601 in UTC, from Stripe's Unix seconds. */
export const isoFromUnix = (seconds: number): string => new Date(seconds * 1000).toISOString();
