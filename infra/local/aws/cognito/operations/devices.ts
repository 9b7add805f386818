import * as z from 'zod/mini';
import { CognitoError } from '../errors.ts';
import { member, operation } from '../operation.ts';
import type { Parts } from '../parts.ts';

const DEVICE_KEY = 'Member must satisfy regular expression pattern: [\\w-]+_[0-9a-f-]+';
const DeviceKey = z.string().check(z.regex(/^[\w-]+_[0-9a-f-]+$/, DEVICE_KEY));

/** Pools here remember no devices. The error type is from the API reference; the message is not Cognito's. */
async function refuse({ tokens }: Parts, { AccessToken }: { AccessToken: string }): Promise<never> {
  await tokens.bearer(AccessToken);
  throw new CognitoError(
    'InvalidUserPoolConfigurationException',
    'Device tracking is not enabled for the user pool.',
  );
}

export const listDevices = operation({ request: z.object({ AccessToken: member.Token }), run: refuse });

const OneDevice = z.object({ AccessToken: member.Token, DeviceKey });

export const confirmDevice = operation({ request: OneDevice, run: refuse });
export const forgetDevice = operation({ request: OneDevice, run: refuse });
export const updateDeviceStatus = operation({ request: OneDevice, run: refuse });
