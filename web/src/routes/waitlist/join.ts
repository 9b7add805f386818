import { type RefusalCode, refusals } from '../../../../schemas/refusal.ts';

/** `field`: the name of the field that the sentence is about. */
type Outcome = { kind: 'success' } | { kind: 'error'; sentence: string; field?: 'name' | 'email' };

const FAILED = 'Failed to add to waitlist. Please try again.';
const UNREACHABLE = 'Network error. Please try again.';

/** The refusals that tell the user how to fix the entry, each with its field. */
const fields: Partial<Record<RefusalCode, 'name' | 'email'>> = {
  'already-on-waitlist': 'email',
  'name-missing': 'name',
  'name-too-long': 'name',
  'name-unusable': 'name',
};

/** Adds an entry to the waitlist. The API client loads with the first call. */
export async function join(entry: { name: string; email: string }): Promise<Outcome> {
  try {
    const { callAnonymously } = await import('../../api/call-anonymously.ts');
    const answer = await callAnonymously('waitlist', { body: entry });
    if (answer.ok) return { kind: 'success' };
    const code = answer.code as RefusalCode;
    const field = fields[code];
    if (field) return { kind: 'error', sentence: refusals[code].sentence, field };
    return { kind: 'error', sentence: answer.code === 'unreachable' ? UNREACHABLE : FAILED };
  } catch {
    return { kind: 'error', sentence: UNREACHABLE };
  }
}
