/**
 * Intended losses of stateful resources. Each line is the key that the failing test prints: the resource and
 * a hash of its new properties. A line allows only this change, and can be removed once the change is
 * deployed to every stage.
 */
export const allowedLosses: readonly string[] = [
  // Each attribute has a type. Nothing has been deployed without.
  'IdentityPool9E5AED46 df252f0d',
];
