const PREFIX = 'removed:';

/**
 * The owner of an address while an unconfirmed account with the address is deleted. No user name begins with
 * this prefix: user names are UUIDs, or a provider's name and an id.
 */
export const removalMark = (username: string): string => `${PREFIX}${username}`;

export const isRemovalMark = (owner: string): boolean => owner.startsWith(PREFIX);
