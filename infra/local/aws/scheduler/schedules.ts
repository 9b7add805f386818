import * as z from 'zod/mini';
import type { Clock, Timed } from '../../base/clock.ts';
import { FunctionError } from '../lambda/function-error.ts';
import { propertiesOf } from '../../stack/resource-properties.ts';
import { arn, generatedName, type ResourceType, type Unnamed } from '../../stack/resource-type.ts';
import { type ScheduleExpression, scheduleExpression } from './expression.ts';
import type { Collection, Store } from '../../base/store.ts';
import type { Stack } from '../../stack/template.ts';
import type { AwsService, ServiceContext } from '../service.ts';

const nameOf = (resource: Unnamed) => resource.text('Name') ?? generatedName(resource);

const types: Record<string, ResourceType> = {
  'AWS::Scheduler::Schedule': {
    ref: nameOf,
    attributes: {
      Arn: (schedule) =>
        arn('scheduler', `schedule/${schedule.text('GroupName') ?? 'default'}/${nameOf(schedule)}`),
    },
  },
  'AWS::Scheduler::ScheduleGroup': {
    ref: nameOf,
    attributes: { Arn: (group) => arn('scheduler', `schedule-group/${nameOf(group)}`) },
    notEmulated: 'A group only lets schedules be deleted together.',
  },
};

export const scheduler = {
  types,
  start: ({ clock, store, invoke, drained }: ServiceContext) =>
    new Schedules({ clock, store, invoke, drained }),
} satisfies AwsService;

const ScheduleProperties = z.object({
  ScheduleExpression: z.string(),
  // Daylight saving time is not emulated.
  ScheduleExpressionTimezone: z._default(z.enum(['UTC', 'Etc/UTC']), 'UTC'),
  State: z._default(z.enum(['ENABLED', 'DISABLED']), 'ENABLED'),
  Target: z.object({ Arn: z.string(), Input: z.optional(z.string()) }),
});
type ScheduleProperties = z.infer<typeof ScheduleProperties>;

export type Outcome =
  | { kind: 'succeeded'; result: unknown }
  | { kind: 'failed'; errorType: string; errorMessage: string };

export interface ScheduleState {
  /** The schedule's name without the stack's, as in `/__local/schedules/<name>`. */
  name: string;
  expression: string;
  /** ISO 8601, in the local world's time. Null if the schedule is disabled. */
  nextAt: string | null;
  last: { at: string; outcome: Outcome } | null;
}

interface StoredState {
  since: string;
  /** Moments up to this time are done and don't fire again. */
  doneUntil: string;
  last: ScheduleState['last'];
}

interface SchedulesOptions {
  clock: Clock;
  store: Store;
  invoke: (functionArn: string, event: unknown) => Promise<unknown>;
  /** Waits for what a schedule has put into a queue. */
  drained?: () => Promise<void>;
}

/** Schedules in the world's time. A missed one fires at the next start; a failed one isn't retried. */
export class Schedules {
  readonly #options: SchedulesOptions;
  readonly #records: Collection<StoredState>;
  #schedules = new Map<string, Schedule>();

  constructor(options: SchedulesOptions) {
    this.#options = options;
    this.#records = options.store.collection('scheduler/schedules');
  }

  update(stack: Stack): Promise<void> {
    const { clock } = this.#options;
    const before = this.#schedules;
    this.#schedules = new Map(
      stack.of('AWS::Scheduler::Schedule').map((resource) => {
        const name = resource.ref.replace(`${stack.name}-`, '');
        const properties = propertiesOf(ScheduleProperties, resource);
        return [name, new Schedule(name, properties, this.#options, this.#records)];
      }),
    );
    for (const schedule of before.values()) clock.unregister(schedule);
    for (const schedule of this.#schedules.values()) clock.register(schedule);
    return Promise.resolve();
  }

  list(): ScheduleState[] {
    return [...this.#schedules.values()].map((schedule) => schedule.state());
  }

  /** Fires a schedule now, with its own input or another. Undefined if no schedule has this name. */
  async fire(name: string, input?: object): Promise<Outcome | undefined> {
    return this.#schedules.get(name)?.fire(input);
  }
}

class Schedule implements Timed {
  readonly jump = 'last';
  readonly #name: string;
  readonly #properties: ScheduleProperties;
  readonly #expression: ScheduleExpression;
  readonly #options: SchedulesOptions;
  readonly #records: Collection<StoredState>;

  constructor(
    name: string,
    properties: ScheduleProperties,
    options: SchedulesOptions,
    records: Collection<StoredState>,
  ) {
    this.#name = name;
    this.#properties = properties;
    this.#expression = scheduleExpression(properties.ScheduleExpression);
    this.#options = options;
    this.#records = records;
    if (!records.get(name)) {
      const now = options.clock.now().toISOString();
      records.put(name, { since: now, doneUntil: now, last: null });
    }
  }

  nextDue(): number | undefined {
    if (this.#properties.State === 'DISABLED') return undefined;
    const { since, doneUntil } = this.#record();
    return this.#expression.next(new Date(doneUntil), new Date(since)).getTime();
  }

  async run(now: Date): Promise<void> {
    // Stored before the schedule fires: an invocation that crashes the process must not be repeated at each
    // start.
    this.#records.put(this.#name, { ...this.#record(), doneUntil: now.toISOString() });
    await this.fire();
  }

  async fire(input?: object): Promise<Outcome> {
    const { clock, invoke, drained } = this.#options;
    const { Arn, Input } = this.#properties.Target;
    const at = clock.now().toISOString();
    const outcome = await invoke(Arn, input ?? JSON.parse(Input ?? '{}')).then(
      (result): Outcome => ({ kind: 'succeeded', result }),
      (error: unknown): Outcome => ({ kind: 'failed', ...failureOf(error) }),
    );
    await drained?.();
    this.#records.put(this.#name, { ...this.#record(), last: { at, outcome } });
    return outcome;
  }

  state(): ScheduleState {
    const due = this.nextDue();
    return {
      name: this.#name,
      expression: this.#properties.ScheduleExpression,
      nextAt: due === undefined ? null : new Date(due).toISOString(),
      last: this.#record().last,
    };
  }

  #record(): StoredState {
    const record = this.#records.get(this.#name);
    if (!record) throw new Error(`The schedule ${this.#name} has lost its record.`);
    return record;
  }
}

function failureOf(error: unknown): { errorType: string; errorMessage: string } {
  return error instanceof FunctionError
    ? { errorType: error.errorType, errorMessage: error.errorMessage }
    : { errorType: 'Error', errorMessage: String(error) };
}
