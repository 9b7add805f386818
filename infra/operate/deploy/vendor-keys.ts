import { type ProviderKey, providers } from '../../../schemas/product/providers.ts';
import type { ProviderKeyField } from '../../constructs/identity/providers/provider-module.ts';
import { providerModules } from '../../constructs/identity/providers/provider-modules.ts';
import type { Stage } from '../../stages/stage.ts';

export type Vendor = 'stripe' | ProviderKey;

/** A key that a person gets from a vendor and enters. */
export interface VendorKey extends ProviderKeyField {
  vendor: Vendor;
  /** Field in the vendor's secret. */
  field: string;
}

/** The Stripe mode of a stage, from its publishable key. */
export const stripeMode = ({ stripePublishableKey }: Stage): 'test' | 'live' =>
  stripePublishableKey.startsWith('pk_live_') ? 'live' : 'test';

/**
 * The account in a key of Stripe, without `acct_`. Undefined for keys from before 2019, which have none. Not
 * documented by Stripe, but each newer key begins with `51` and goes on as its account's id does.
 */
const stripeAccount = (key: string): string | undefined => /^\wk_(?:test|live)_5(1\w{15})/.exec(key)?.[1];

/** The keys that a stage needs, for Stripe and for its providers. */
export function keysOf(stage: Stage): VendorKey[] {
  const mode = stripeMode(stage);
  const stripe: VendorKey = {
    vendor: 'stripe',
    field: 'secretKey',
    label: `Stripe's secret key in ${mode} mode (Developers, API keys)`,
    isPublic: false,
    problemOf: (value) => {
      if (!new RegExp(`^[rs]k_${mode}_\\w+$`).test(value)) {
        return `has to begin with sk_${mode}_ or rk_${mode}_, the mode of the stage's publishable key`;
      }
      const [ours, theirs] = [stripeAccount(value), stripeAccount(stage.stripePublishableKey)];
      return ours === undefined || theirs === undefined || ours === theirs
        ? undefined
        : `is of the Stripe account or sandbox acct_${ours}, and stripePublishableKey of acct_${theirs}: no card form would open`;
    },
  };
  const clients = stage.providers.flatMap((vendor) =>
    Object.entries(providerModules[vendor].fields).map(([field, key]): VendorKey => ({
      ...key,
      vendor,
      field,
      label: `${providers[vendor].name}'s ${key.label}`,
    })),
  );
  return [stripe, ...clients];
}
