import type { Stack, Template } from './template.ts';

export class Deployment {
  readonly #services: readonly { update(stack: Stack): Promise<void> }[];
  readonly #withLocalAddresses: (template: Template) => Stack;
  #deployed: Template | undefined;

  /** `services` update in this order. `withLocalAddresses` replaces the stack's addresses with local ones. */
  constructor(
    services: readonly { update(stack: Stack): Promise<void> }[],
    withLocalAddresses: (template: Template) => Stack,
  ) {
    this.#services = services;
    this.#withLocalAddresses = withLocalAddresses;
  }

  /** Updates every service to `next`. If a service fails, all services return to the old template. */
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
    const stack = this.#withLocalAddresses(template);
    for (const service of this.#services) await service.update(stack);
  }
}
