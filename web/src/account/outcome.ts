/** `message` is for the user. `reason`: the faulty part, if the page shows it. */
export type Refused = { kind: 'refused'; message: string; reason?: 'link' | 'missing' };
export type Outcome = { kind: 'done' } | Refused;

export const refused = (message: string): Refused => ({ kind: 'refused', message });

/** The refusal of a form whose fields are empty. */
export const refusedAsMissing = (message: string): Refused => ({ ...refused(message), reason: 'missing' });
