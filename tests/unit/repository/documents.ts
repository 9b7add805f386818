import { readFileSync } from 'node:fs';

/** A document in its parts: prose without code, inline code, and fenced blocks by language. */
export function partsOf(markdown: string) {
  const fences: { language: string; body: string }[] = [];
  const fence = /^( *)```(\w*)\n(.*?)^\1```$/gms;
  const text = markdown.replaceAll(fence, (_, _indent: string, language: string, body: string) => {
    fences.push({ language, body });
    return '';
  });
  const codes: string[] = [];
  const prose = text.replaceAll(/`([^`\n]+)`/g, (_, code: string) => {
    codes.push(code);
    return '';
  });
  return { text, prose, codes, fences };
}

/** The pieces of code in a document: blocks, and what stands between backticks. */
export function codeIn(file: string): string[] {
  const { codes, fences } = partsOf(readFileSync(file, 'utf8'));
  return [...codes, ...fences.map(({ body }) => body.replaceAll(/\\\n\s*/g, ' '))];
}
