import { refusals } from '../../../../schemas/refusal.ts';

type Outcome = { kind: 'success' } | { kind: 'error'; sentence: string };

const FAILED = 'Failed to add to waitlist. Please try again.';
const UNREACHABLE = 'Network error. Please try again.';

/** Adds an entry to the waitlist. The API client loads with the first call. */
export async function join(entry: { name: string; email: string }): Promise<Outcome> {
  try {
    const { callAnonymously } = await import('../../api/call-anonymously.ts');
    const answer = await callAnonymously('waitlist', { body: entry });
    if (answer.ok) return { kind: 'success' };
    if (answer.code === 'already-on-waitlist') {
      return { kind: 'error', sentence: refusals['already-on-waitlist'].sentence };
    }
    return { kind: 'error', sentence: answer.code === 'unreachable' ? UNREACHABLE : FAILED };
  } catch {
    return { kind: 'error', sentence: UNREACHABLE };
  }
}
