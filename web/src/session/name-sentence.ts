import { nameFault } from '../../../schemas/person-name.ts';
import { refusals } from '../../../schemas/refusal.ts';

/** Why a name is refused, as a sentence; null if it is valid. */
export function nameSentence(name: string): string | null {
  const fault = nameFault(name);
  return fault && refusals[fault].sentence;
}
