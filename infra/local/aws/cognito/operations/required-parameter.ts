import { CognitoError } from '../errors.ts';

/** One of the named strings of `AuthParameters` or `ChallengeResponses`, refused where it is absent or empty. */
export function requiredParameter(parameters: Record<string, string>, name: string): string {
  const value = parameters[name];
  if (!value) throw new CognitoError('InvalidParameterException', `Missing required parameter ${name}`);
  return value;
}
