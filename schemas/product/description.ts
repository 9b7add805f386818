/** The sentence about the product in search results and in the picture that links show (`npm run social`). */
export const description =
  'A desktop assistant for Mac. Highlight or copy text in any app or website, press Command+G, and have it rewritten, shortened or explained.';
