import type { EnvironmentLimit } from './environment-limit.ts';
import { ExecutionEnvironment, type FunctionSettings, type LambdaOptions } from './execution-environment.ts';

// Half of the limit for all functions, so that no function uses everything.
const MOST_ENVIRONMENTS = 8;

/**
 * A function. As in Lambda, an execution environment runs one event at a time, and an event that comes in the
 * meantime starts another environment. Over the limit, events wait; Lambda would refuse them. The first
 * environment may always start, since a function may wait for another function: Cognito calls triggers before
 * it answers.
 */
export class LambdaFunction {
  readonly settings: FunctionSettings;
  readonly #options: LambdaOptions;
  readonly #limit: EnvironmentLimit;
  readonly #environments = new Set<ExecutionEnvironment>();
  readonly #idle: ExecutionEnvironment[] = [];
  readonly #waiting: ((environment: ExecutionEnvironment) => void)[] = [];
  #state: 'live' | 'retired' = 'live';

  constructor(settings: FunctionSettings, options: LambdaOptions, limit: EnvironmentLimit) {
    this.settings = settings;
    this.#options = options;
    this.#limit = limit;
  }

  async invoke(event: unknown): Promise<unknown> {
    const environment = await this.#take();
    try {
      return await environment.run(event);
    } finally {
      this.#giveBack(environment);
    }
  }

  /** Lets running invocations end, and starts no more. */
  retire(): void {
    this.#state = 'retired';
    for (const environment of this.#idle.splice(0)) this.#end(environment);
  }

  async stop(): Promise<void> {
    this.#state = 'retired';
    await Promise.all([...this.#environments].map((environment) => environment.end()));
  }

  async #take(): Promise<ExecutionEnvironment> {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      this.#limit.busy(idle);
      if (!idle.broken) return idle;
      this.#end(idle);
    }
    const others = this.#environments.size;
    if (others < MOST_ENVIRONMENTS && (this.#limit.makeRoom() || others === 0)) return this.#start();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #start(): ExecutionEnvironment {
    const environment = new ExecutionEnvironment(this.settings, this.#options);
    this.#environments.add(environment);
    this.#limit.started(environment);
    return environment;
  }

  #giveBack(environment: ExecutionEnvironment): void {
    if (environment.broken) this.#end(environment);
    const next = this.#waiting.shift();
    if (next) next(environment.broken ? this.#start() : environment);
    else if (this.#state === 'retired') this.#end(environment);
    else if (!environment.broken) {
      this.#idle.push(environment);
      this.#limit.idle(environment, () => this.#endIdle(environment));
    }
  }

  #endIdle(environment: ExecutionEnvironment): void {
    this.#idle.splice(this.#idle.indexOf(environment), 1);
    this.#end(environment);
  }

  #end(environment: ExecutionEnvironment): void {
    this.#environments.delete(environment);
    this.#limit.ended(environment);
    void environment.end();
  }
}
