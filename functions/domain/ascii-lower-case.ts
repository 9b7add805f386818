/** A to Z alone: Unicode's folding turns the Kelvin sign into `k`, and so one address of two people's. */
export const asciiLowerCase = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
