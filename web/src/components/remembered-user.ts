import { persistentStorage, rememberedUser } from '../session/browser-storage.ts';
import { addressParts } from './address-parts.ts';

/** Sets a text for `content` in the styles, as a CSS string. A JSON string is one, too. */
export const setText = (property: `--${string}`, text: string): void =>
  document.documentElement.style.setProperty(property, JSON.stringify(text));

/** Gives the styles the remembered user's name and address until the session is read. */
export function showRememberedUser(): void {
  const { name, email } = rememberedClaims();
  if (typeof name === 'string') setText('--user-name', name);
  // The line may break at a space of zero width.
  if (typeof email === 'string') setText('--user-email', addressParts(email).join('\u200B'));
}

/** Claims of the user's ID token, not verified. Empty if there is no readable token. */
function rememberedClaims(): { name?: unknown; email?: unknown } {
  const local = persistentStorage();
  const user = rememberedUser();
  const key = Object.keys(local ?? {}).find((name) => name.endsWith(`.${user}.idToken`));
  try {
    const [, payload = ''] = (key === undefined ? '' : (local?.getItem(key) ?? '')).split('.');
    const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const claims: unknown = JSON.parse(
      new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))),
    );
    return typeof claims === 'object' && claims !== null ? claims : {};
  } catch {
    return {};
  }
}
