/** The header that proves that a request comes through CloudFront, which replaces a caller's own. */
export const ORIGIN_KEY_HEADER = 'x-origin-key';

/** Variable of every function with a route: the accepted values of that header, separated by commas. */
export const ORIGIN_KEYS = 'ORIGIN_KEYS';
