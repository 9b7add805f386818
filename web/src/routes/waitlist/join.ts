import { type RefusalCode, refusals } from '../../../../schemas/refusal.ts';

type Outcome = { kind: 'success' } | { kind: 'error'; sentence: string };

const FAILED = 'Failed to add to waitlist. Please try again.';
const UNREACHABLE = 'Network error. Please try again.';

/** The refusals that tell the user how to fix the entry. */
const ABOUT_THE_ENTRY = [
  'already-on-waitlist',
  'name-missing',
  'name-too-long',
  'name-unusable',
] as const satisfies RefusalCode[];

/** Adds an entry to the waitlist. The API client loads with the first call. */
export async function join(entry: { name: string; email: string }): Promise<Outcome> {
  try {
    const { callAnonymously } = await import('../../api/call-anonymously.ts');
    const answer = await callAnonymously('waitlist', { body: entry });
    if (answer.ok) return { kind: 'success' };
    const told = ABOUT_THE_ENTRY.find((code) => code === answer.code);
    if (told) return { kind: 'error', sentence: refusals[told].sentence };
    return { kind: 'error', sentence: answer.code === 'unreachable' ? UNREACHABLE : FAILED };
  } catch {
    return { kind: 'error', sentence: UNREACHABLE };
  }
}
