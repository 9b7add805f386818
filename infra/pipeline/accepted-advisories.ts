/**
 * Advisories that don't concern us, by their address, with the reason. An entry whose advisory is gone fails
 * the audit, so that the list stays short.
 */
export const acceptedAdvisories: Readonly<Record<string, string>> = {};
