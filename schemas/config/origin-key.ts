/**
 * Header by which the API knows that a request comes through CloudFront, which replaces a caller's own
 * header.
 */
export const ORIGIN_KEY_HEADER = 'x-origin-key';

/** Variable of every function with a route: the accepted values of that header, separated by commas. */
export const ORIGIN_KEYS = 'ORIGIN_KEYS';
