import { product } from './product.ts';

/** What a user reads whose address SES doesn't mail any more, from a trigger and from the API. */
export const MAIL_CAME_BACK = `We can't mail this address: earlier mail came back, or was marked as spam. Please use another address, or write to ${product.supportEmail}.`;
