import { limits, plans } from '../../../../schemas/product.ts';

/** The meaning of each feature of a plan, in the order of its features. */
export const featureMeanings: Record<keyof typeof plans, readonly string[]> = {
  free: [
    'Each time a command runs on a text, or Write Mode rewrites one, is a request.',
    'Write down once what you ask for again and again. There is no limit to how many you keep.',
    'A context is a tone or a style. Several can apply to the same text.',
    'Commands and contexts are in your own words, and yours to change or delete.',
  ],
  plus: [
    `The limit of ${limits.freeRequestsPerDay} a day is gone. Commands and contexts are unlimited, as on ${plans.free.name}.`,
    `Sooner than on ${plans.free.name} at the same moment. AI providers have slow hours too, so we promise no number of seconds.`,
    `Stronger ones than on ${plans.free.name} at the same moment. They change as better ones appear.`,
    'You say what kind of answer you want, instead of taking the one that comes.',
  ],
};
