import type { User } from '../users.ts';

/**
 * A user in the responses of administrators' calls, without attributes. Dates are epoch seconds, as in JSON
 * 1.1.
 */
export const userSummary = (user: User) => ({
  Username: user.username,
  UserCreateDate: Date.parse(user.createdAt) / 1000,
  UserLastModifiedDate: Date.parse(user.modifiedAt) / 1000,
  Enabled: user.disabled !== true,
  UserStatus: user.status,
});
