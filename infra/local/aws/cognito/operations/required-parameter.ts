import { CognitoError } from '../errors.ts';

/** A string of `AuthParameters` or `ChallengeResponses`. Refused if absent or empty. */
export function requiredParameter(parameters: Record<string, string>, name: string): string {
  const value = parameters[name];
  if (!value) throw new CognitoError('InvalidParameterException', `Missing required parameter ${name}`);
  return value;
}
