import * as z from 'zod/mini';
import { propertiesOf } from '../stack/resource-properties.ts';
import { arn, generatedName, type ResourceType } from '../stack/resource-type.ts';
import type { Stack } from '../stack/template.ts';
import type { AwsService, BusEvent, ServiceContext } from './service.ts';

const types: Record<string, ResourceType> = {
  'AWS::Events::Rule': {
    ref: generatedName,
    attributes: { Arn: (rule) => arn('events', `rule/${generatedName(rule)}`) },
  },
};

export const events = {
  types,
  start: ({ invoke }: ServiceContext) => new EventBus({ invoke }),
} satisfies AwsService;

interface Pattern {
  [field: string]: string[] | Pattern;
}

// Patterns with exact texts only. A rule with prefixes, numbers or negations would match too much here, and
// is refused.
const Pattern: z.ZodMiniType<Pattern> = z.lazy(() =>
  z.record(z.string(), z.union([z.array(z.string()), Pattern])),
);

const RuleProperties = z.object({
  EventBusName: z.optional(z.literal('default')),
  EventPattern: Pattern,
  State: z._default(z.enum(['ENABLED', 'DISABLED']), 'ENABLED'),
  Targets: z._default(z.array(z.object({ Arn: z.string() })), []),
});
type Rule = z.infer<typeof RuleProperties>;

/** EventBridge's default bus, and the stack's rules on it. A failed call of a target is not repeated. */
export class EventBus {
  readonly #invoke: ServiceContext['invoke'];
  #rules: readonly Rule[] = [];

  constructor({ invoke }: Pick<ServiceContext, 'invoke'>) {
    this.#invoke = invoke;
  }

  update(stack: Stack): Promise<void> {
    this.#rules = stack.of('AWS::Events::Rule').map((rule) => propertiesOf(RuleProperties, rule));
    return Promise.resolve();
  }

  /** Calls the functions of the matching rules. Resolves once they have ended, successfully or not. */
  async publish(event: BusEvent): Promise<void> {
    const targets = this.#rules
      .filter(({ State, EventPattern }) => State === 'ENABLED' && matches(EventPattern, event))
      .flatMap(({ Targets }) => Targets);
    // Failures are in the function's log.
    await Promise.allSettled(targets.map(({ Arn }) => this.#invoke(Arn, event)));
  }
}

/** Whether each field of the pattern has one of its texts, or is a list with one of them. */
function matches(pattern: Pattern, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.entries(pattern).every(([name, wanted]) => {
    const actual = fields.get(name);
    if (!Array.isArray(wanted)) return matches(wanted, actual);
    return (Array.isArray(actual) ? actual : [actual]).some((each) => wanted.includes(each as string));
  });
}
