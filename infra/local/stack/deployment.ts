import type { Stack, Template } from './template.ts';

/** The template that the services hold. */
export class Deployment {
  readonly #services: readonly { update(stack: Stack): Promise<void> }[];
  readonly #localised: (template: Template) => Stack;
  #deployed: Template | undefined;

  /** `services`: in the order of their updates. `localised`: the stack with local addresses. */
  constructor({
    services,
    localised,
  }: {
    services: readonly { update(stack: Stack): Promise<void> }[];
    localised: (template: Template) => Stack;
  }) {
    this.#services = services;
    this.#localised = localised;
  }

  /** Updates every service to `next`. If one fails, all of them go back to the template before. */
  async deploy(next: Template): Promise<void> {
    try {
      await this.#update(next);
    } catch (error) {
      if (this.#deployed) await this.#update(this.#deployed);
      throw error;
    }
    this.#deployed = next;
  }

  async #update(template: Template): Promise<void> {
    const stack = this.#localised(template);
    for (const service of this.#services) await service.update(stack);
  }
}
