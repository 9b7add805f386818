/**
 * Intended losses of stateful resources. Each line is the key that the failing test prints: the resource and
 * a hash of its new properties. A line allows only this change, and can be removed once the change is
 * deployed to every stage.
 */
export const allowedLosses: readonly string[] = [
  // The user pool isn't exported any more. Nothing has been deployed with this bucket.
  'DataBackupsBucket7D37ADA9 97294f05',
];
