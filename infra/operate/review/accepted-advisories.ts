/**
 * Advisories that don't concern us, by their address, with the reason. An entry for an advisory that is gone
 * fails the audit, so that the list stays short.
 */
export const acceptedAdvisories: Readonly<Record<string, string>> = {};
