import * as z from 'zod/mini';
import type { Clock, Timed } from '../../base/clock.ts';
import { FunctionError } from '../lambda/functions.ts';
import { propertiesOf } from '../../stack/resource-properties.ts';
import { arn, generatedName, type ResourceType, type Unnamed } from '../../stack/resource-type.ts';
import { type ScheduleExpression, scheduleExpression } from './expression.ts';
import type { Collection, Store } from '../../base/store.ts';
import type { Stack } from '../../stack/template.ts';

const nameOf = (resource: Unnamed) => resource.text('Name') ?? generatedName(resource);

export const schedulerTypes = {
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
    faceless: 'A group only lets schedules be deleted together.',
  },
} satisfies Record<string, ResourceType>;

const ScheduleProperties = z.object({
  ScheduleExpression: z.string(),
  // Another zone would need its summer time.
  ScheduleExpressionTimezone: z._default(z.enum(['UTC', 'Etc/UTC']), 'UTC'),
  State: z._default(z.enum(['ENABLED', 'DISABLED']), 'ENABLED'),
  Target: z.object({ Arn: z.string(), Input: z.optional(z.string()) }),
});
type ScheduleProperties = z.infer<typeof ScheduleProperties>;

export type Outcome =
  | { kind: 'succeeded'; result: unknown }
  | { kind: 'failed'; errorType: string; errorMessage: string };

export interface ScheduleState {
  /** What `/__local/schedules/<name>` calls it: its name without the stack's. */
  name: string;
  expression: string;
  /** ISO 8601, in the local world's time; null for one that is switched off or has had its last. */
  nextAt: string | null;
  last: { at: string; outcome: Outcome } | null;
}

/** What outlives a restart. */
interface Kept {
  since: string;
  /** Up to here it has been looked after: nothing due before fires again. */
  doneUntil: string;
  last: ScheduleState['last'];
}

export interface SchedulesOptions {
  clock: Clock;
  store: Store;
  invoke: (functionArn: string, event: unknown) => Promise<unknown>;
}

/**
 * The stack's schedules, in the local world's time. One that came due while nothing was running fires at the next
 * start. A failure isn't tried again before the next time: the console shows it, and `fire` is at hand.
 */
export class Schedules {
  readonly #options: SchedulesOptions;
  readonly #records: Collection<Kept>;
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

  /** Fires it now, whatever its time. Undefined if there is none of that name. */
  async fire(name: string): Promise<Outcome | undefined> {
    return this.#schedules.get(name)?.fire();
  }
}

class Schedule implements Timed {
  readonly jump = 'last';
  readonly #name: string;
  readonly #properties: ScheduleProperties;
  readonly #expression: ScheduleExpression;
  readonly #options: SchedulesOptions;
  readonly #records: Collection<Kept>;

  constructor(
    name: string,
    properties: ScheduleProperties,
    options: SchedulesOptions,
    records: Collection<Kept>,
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
    return this.#expression.next(new Date(doneUntil), new Date(since))?.getTime();
  }

  async run(now: Date): Promise<void> {
    // Written down before it fires, so that a sweep that brings the process down isn't the first thing it does again.
    this.#records.put(this.#name, { ...this.#record(), doneUntil: now.toISOString() });
    await this.fire();
  }

  async fire(): Promise<Outcome> {
    const { clock, invoke } = this.#options;
    const { Arn, Input } = this.#properties.Target;
    const at = clock.now().toISOString();
    const outcome = await invoke(Arn, JSON.parse(Input ?? '{}')).then(
      (result): Outcome => ({ kind: 'succeeded', result }),
      (error: unknown): Outcome => ({ kind: 'failed', ...failureOf(error) }),
    );
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

  #record(): Kept {
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
