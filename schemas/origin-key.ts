/** Header by which the API knows that a request comes through CloudFront, which replaces a caller's own. */
export const ORIGIN_KEY_HEADER = 'x-origin-key';

/** Variable of every function with a route: the keys that it accepts in that header, with commas between. */
export const ORIGIN_KEYS = 'ORIGIN_KEYS';
