import { product } from './product/product.ts';

/** The sentence for a user whose address SES suppresses, from a trigger and from the API. */
export const UNDELIVERABLE_ADDRESS = `We can't email this address: an earlier email bounced, or was marked as spam. Please use another address, or write to ${product.supportEmail}.`;
