import { asciiLowerCase } from './ascii-lower-case.ts';

/**
 * The address that a sign-up is counted for. Tagged addresses (`ada+shop@…`) of a mailbox share a count,
 * since anybody can make up any number of them. An address without a tag has its own: no other spelling can
 * spend it, because a link proves the exact address.
 */
export const countedSignUp = (email: string): string => asciiLowerCase(email).replace(/\+.*@/, '+@');
