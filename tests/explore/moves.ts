import type { Random } from './random.ts';
import type { Observation } from './observe.ts';

/** An action of the person or of the world around. All of them together with the start replay a run. */
export type Move =
  | { do: 'press'; control: number; label: string }
  | { do: 'type'; control: number; label: string; text: string }
  | { do: 'key'; key: 'Enter' | 'Escape' | 'Tab' }
  | { do: 'open'; path: string }
  | { do: 'reload' | 'back' | 'forward' | 'close-tab' | 'follow-mail' }
  | { do: 'new-tab'; path: string }
  | { do: 'tab'; tab: number }
  | { do: 'pay'; card: string }
  | { do: 'resize'; width: number }
  | { do: 'network'; on: boolean }
  | { do: 'webhooks'; on: boolean }
  | { do: 'clock'; advance: string };

export interface Surroundings {
  /** Those of the page, none if it could not be read. */
  controls: Observation['controls'];
  tabs: number;
  networkIsOn: boolean;
  webhooksAreOn: boolean;
  /** The card form is on the page. */
  canPay: boolean;
  /** The newest mail to the user has this code. */
  code: string | undefined;
  email: string;
  password: string;
  paths: readonly string[];
  cards: readonly string[];
}

const OTHER_TEXTS = ['', ' ', 'Grace Hopper', 'null', '<b>Ada</b>', '🙂'.repeat(40), 'a'.repeat(300)];
const WIDTHS = [390, 1_440];
const ADVANCES = ['PT2H', 'P2D', 'P16D', 'P32D'];

/** The next move, by chance. */
export function nextMove(at: Surroundings, random: Random): Move {
  const fields = at.controls.filter(({ kind }) => TYPED.has(kind));
  const pressed = at.controls.filter(({ kind }) => !TYPED.has(kind));
  const moves: [number, () => Move | undefined][] = [
    [at.canPay ? 60 : 0, () => ({ do: 'pay', card: random.of(at.cards) })],
    [55, () => press(random, pressed)],
    // Most forms have a few fields, all of which have to be filled before a press does anything.
    [Math.min(fields.length, 4) * 12, () => type(at, random, random.of(fields))],
    [4, () => ({ do: 'key', key: random.of(['Enter', 'Escape', 'Tab'] as const) })],
    [6, () => ({ do: 'open', path: random.of(at.paths) })],
    [4, () => ({ do: 'reload' })],
    [5, () => ({ do: random.of(['back', 'back', 'forward'] as const) })],
    [at.tabs < 3 ? 2 : 0, () => ({ do: 'new-tab', path: random.of(at.paths) })],
    [at.tabs > 1 ? 4 : 0, () => ({ do: 'tab', tab: random.below(at.tabs) })],
    [at.tabs > 1 ? 2 : 0, () => ({ do: 'close-tab' })],
    [2, () => ({ do: 'resize', width: random.of(WIDTHS) })],
    // Without a network, little else happens.
    [at.networkIsOn ? 1 : 30, () => ({ do: 'network', on: !at.networkIsOn })],
    [at.webhooksAreOn ? 1 : 4, () => ({ do: 'webhooks', on: !at.webhooksAreOn })],
    [2, () => ({ do: 'clock', advance: random.of(ADVANCES) })],
    [at.code === undefined ? 1 : 3, () => ({ do: 'follow-mail' })],
  ];
  for (;;) {
    const move = random.weighted(moves)();
    if (move) return move;
  }
}

const TYPED = new Set(['text', 'email', 'password', 'search', 'tel', 'textarea']);

function press(random: Random, controls: Observation['controls']): Move | undefined {
  if (controls.length === 0) return undefined;
  // Buttons change more than the many links of bar and footer.
  const buttons = controls.filter(({ kind }) => kind !== 'link');
  const { index, label } = random.of(buttons.length > 0 && random.below(2) === 0 ? buttons : controls);
  return { do: 'press', control: index, label };
}

function type(at: Surroundings, random: Random, field: Observation['controls'][number]): Move {
  const fitting =
    field.kind === 'password'
      ? at.password
      : /e-?mail|address/i.test(field.label)
        ? at.email
        : (at.code ?? 'Ada');
  const text = random.below(5) === 0 ? random.of(OTHER_TEXTS) : fitting;
  return { do: 'type', control: field.index, label: field.label, text };
}
