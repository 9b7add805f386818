import { type Outcome, type Refused, refused } from '../../account/outcome.ts';

const FAILED = 'Failed to add to waitlist. Please try again.';
const UNREACHABLE = 'Network error. Please try again.';

/** The refusals that tell the user how to fix the entry, each with its field. */
const fields: Partial<Record<string, Refused['reason']>> = {
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
    if (answer.ok) return { kind: 'done' };
    const reason = fields[answer.code];
    if (reason) return { ...refused(answer.sentence), reason };
    return refused(answer.code === 'unreachable' ? UNREACHABLE : FAILED);
  } catch {
    return refused(UNREACHABLE);
  }
}
