import { nameFault } from '../../../schemas/person-name.ts';
import { refusals } from '../../../schemas/refusal.ts';

/** The sentence for an invalid name; null if the name is valid. */
export function nameSentence(name: string): string | null {
  const fault = nameFault(name);
  return fault && refusals[fault].sentence;
}
