/**
 * Losses of stateful resources that are wanted. A line is the key that the failing test prints: the resource
 * and a hash of its new properties. It allows that one change, and can be removed once it is deployed to
 * every stage.
 */
export const allowedLosses: readonly string[] = [];
