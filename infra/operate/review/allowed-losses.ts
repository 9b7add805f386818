/**
 * Intended losses of stateful resources. Each line is the key that the failing test prints: the resource and
 * a hash of its new properties. A line allows only this change, and can be removed once the change is
 * deployed to every stage.
 */
export const allowedLosses: readonly string[] = [
  // The canary makes its password each time. Nothing has been deployed with this secret.
  'CanaryUserSecret41F314E0 97294f05',
];
