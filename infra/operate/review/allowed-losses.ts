/**
 * Intended losses of stateful resources. Each line is the key that the failing test prints: the resource and
 * a hash of its new properties. A line allows only this change, and can be removed once the change is
 * deployed to every stage.
 */
export const allowedLosses: readonly string[] = [
  // The queue of failed runs, which the next run repeats. Nothing has been deployed with it.
  'DeadLettersQueue631681B1 97294f05',
];
