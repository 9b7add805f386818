import type { Script } from './demo-clock.ts';

// Milliseconds.
const STAY = 3_000;

/** The overlay's stops in order, each with the selected words and the command that runs on them. */
export const places = [
  {
    app: 'Mail',
    before: 'Thank you for coming to see the flat.',
    words: 'Kindly find attached herewith the aforementioned inventory.',
    command: 'Say it plainly',
    answer: 'The inventory is attached.',
  },
  {
    app: 'Browser',
    before: 'Opening hours',
    words:
      'Closed on the first Monday of every month unless it is a public holiday, in which case on the Tuesday.',
    command: 'Summarize',
    answer: 'One day off a month, early on.',
  },
  {
    app: 'Notes',
    before: 'From the gardener',
    words: 'Prune on a dry day, just above a bud that faces outwards.',
    command: 'Explain',
    answer: 'Rain spreads disease; outward buds let in light.',
  },
] as const;

/** `place` is the index of the overlay's stop. The round ends at the first stop, so that nothing jumps. */
export const overlayScript: Script<{ place: number }> = {
  duration: places.length * STAY,
  at: (milliseconds) => ({ place: Math.floor(milliseconds / STAY) % places.length }),
};
