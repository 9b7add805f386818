import { plans, type PlanName } from '../../../../schemas/product/offers.ts';
import { limits } from '../../../../schemas/product/product.ts';

/** The meaning of each feature of a plan, in the order of its features. */
export const featureMeanings: Record<PlanName, readonly string[]> = {
  free: [
    'A request is one run of a command on a text, or one rewrite in Write Mode.',
    'Save what you keep asking for as a command. Have as many as you like.',
    'A context is a tone or a style. Several can apply to the same text.',
    'Commands and contexts are in your own words, yours to change or delete.',
  ],
  plus: [
    `The limit of ${limits.freeRequestsPerDay} a day is gone. Commands and contexts are unlimited, as on ${plans.free.name}.`,
    `Faster than ${plans.free.name} at any given time. AI providers have slow hours too, so we promise no number of seconds.`,
    `Stronger models than ${plans.free.name}. We promise no particular one.`,
    'Choose the kind of response you get.',
  ],
};
