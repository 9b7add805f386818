import type { Subscription } from '../../../functions/domain/subscription.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import { withFaults } from '../faults/with-faults.ts';
import { withMethods } from '../mutants.ts';
import { type Dependencies, deployedSystem, type SystemUnderTest } from '../world/system-under-test.ts';
import type { World } from '../world/world.ts';
import type { Product } from './model.ts';

type Decided = Parameters<Dependencies['plans']['decide']> extends [UserPlan, ...infer R] ? R : never;
type Defect = (dependencies: Dependencies, world: () => World) => SystemUnderTest;

/** The real handlers with the defects that the model can have. */
export const defects: Partial<Record<Product, Defect>> = {
  'overwrites newer decisions': (dependencies, world) => {
    const { decide } = withFaults('table', {
      decide: async (row: UserPlan, ...rest: Decided) => {
        const { plans } = world();
        const newest = plans.rows.get(row.id) ?? { id: row.id, plan: 'free', version: row.version };
        plans.rows.set(row.id, newest);
        return plans.decide(newest, ...rest);
      },
    });
    return deployedSystem({ ...dependencies, plans: withMethods(dependencies.plans, { decide }) });
  },

  'reads Stripe before the row': (dependencies, world) => {
    const { plans, billing } = dependencies;
    let early: Subscription[] = [];
    const reversed = deployedSystem({
      ...dependencies,
      plans: withMethods(plans, {
        read: async (id) => {
          const row = world().rowOf(world().subscriber);
          early = row ? await billing.subscriptionsOf(world().customerId ?? '', row) : [];
          return plans.read(id);
        },
      }),
      billing: withMethods(billing, { subscriptionsOf: async () => early }),
    });
    return { ...deployedSystem(dependencies), webhook: reversed.webhook, sweep: reversed.sweep };
  },

  'deletes without closing the row': (dependencies, world) => {
    const { close } = withFaults('table', {
      close: async (id: string): Promise<UserPlan> =>
        world().rowOf(world().subscriber) ?? { id, plan: 'free', version: 0 },
    });
    const deployed = deployedSystem(dependencies);
    const { deleteAccount } = deployedSystem({
      ...dependencies,
      plans: withMethods(dependencies.plans, { close }),
    });
    return { ...deployed, deleteAccount };
  },
};
