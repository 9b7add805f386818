import { createClient } from './client.ts';

/** Calls public routes, without loading account code. */
export const callAnonymously = createClient({});
