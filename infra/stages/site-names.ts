import type { Stage } from './stage.ts';

/** The host names of a stage's site. The first is the site's own, the others redirect to it. */
export const namesOf = ({ name, also }: NonNullable<Stage['domain']>): string[] =>
  also === undefined ? [name] : [name, also];

/** The host names that redirect, each with its target. */
export const hostRedirectsOf = ({ domain }: Stage): Record<string, string> =>
  domain?.also === undefined ? {} : { [domain.also]: domain.name };
