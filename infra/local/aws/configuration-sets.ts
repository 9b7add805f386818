import * as z from 'zod/mini';
import { propertiesOf } from '../stack/resource-properties.ts';
import { arn } from '../stack/resource-type.ts';
import type { Stack } from '../stack/template.ts';

const Reason = z.enum(['BOUNCE', 'COMPLAINT']);
export type Reason = z.infer<typeof Reason>;

// An account's own setting since November 2019: SES's documentation of the suppression list.
const DEFAULT_REASONS: readonly Reason[] = ['BOUNCE', 'COMPLAINT'];

const SetProperties = z.object({
  SuppressionOptions: z.optional(z.object({ SuppressedReasons: z.optional(z.array(Reason)) })),
});

const DestinationProperties = z.object({
  ConfigurationSetName: z.string(),
  EventDestination: z.object({
    Enabled: z.optional(z.literal(true)),
    EventBridgeDestination: z.object({ EventBusArn: z.literal(arn('events', 'event-bus/default')) }),
    MatchingEventTypes: z.array(z.enum(['bounce', 'complaint'])),
  }),
});

/** The sending settings of an identity. */
export interface Sending {
  /** Undefined for mail without a configuration set, which has no events. */
  configurationSet: string | undefined;
  /** The reasons for which addresses are put on the suppression list, and get no mail. */
  reasons: readonly Reason[];
  events: ReadonlySet<string>;
}

/** The settings of a configuration set. `name`: undefined for none. */
export function sendingWith(stack: Stack, name: string | undefined): Sending {
  const set = stack.of('AWS::SES::ConfigurationSet').find(({ ref }) => ref === name);
  const options = set && propertiesOf(SetProperties, set).SuppressionOptions;
  return {
    configurationSet: name,
    reasons: options?.SuppressedReasons ?? DEFAULT_REASONS,
    events: new Set(
      stack
        .of('AWS::SES::ConfigurationSetEventDestination')
        .map((destination) => propertiesOf(DestinationProperties, destination))
        .filter(({ ConfigurationSetName }) => ConfigurationSetName === name)
        .flatMap(({ EventDestination }) => EventDestination.MatchingEventTypes),
    ),
  };
}
