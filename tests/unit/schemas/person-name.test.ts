import { expect, test } from 'vitest';
import { nameFault } from '../../../schemas/person-name.ts';

const FAMILY = '👨‍👩‍👧‍👦';

test.each([
  'Ada Lovelace',
  '  Ada  ',
  '<script>alert(1)</script>',
  '李',
  // A zero-width non-joiner and a zero-width joiner, as Persian and Sinhala write them.
  'مهدی‌نژاد',
  'ශ්‍රී',
  'a'.repeat(100),
  ` ${'a'.repeat(100)} `,
  // One character to the user, eleven UTF-16 code units.
  FAMILY.repeat(23),
])('the name %j is valid', (name) => {
  expect(nameFault(name)).toBeNull();
});

test.each([
  '',
  ' \t ',
  '\u{A0}\u{3000}',
  '\u{200B}',
  '\u{200D}\u{200D}',
  '\u{3164}',
  '\u{AD}',
  '\u{202E}',
  '\u{2800}',
  '\u{16FE4}',
  '\u{1D159}',
  '\u{301}',
])('a name of nothing to see is missing: %j', (name) => {
  expect(nameFault(name)).toBe('name-missing');
});

test.each(['a'.repeat(101), FAMILY.repeat(24), `a${'\u{301}'.repeat(2_000)}`])(
  'a name of more than a hundred characters, or of as much text, is too long',
  (name) => {
    expect(nameFault(name)).toBe('name-too-long');
  },
);

test.each([
  ['a control character', 'Ada\u{0}'],
  ['an escape sequence', '\u{1B}[2JAda'],
  ['a line break', 'Ada\nBcc: eve@example.com'],
  ['a line separator', 'Ada\u{2028}Eve'],
  ['a direction override', 'Ada \u{202E}evE'],
  ['an isolate', 'Ada \u{2066}Eve\u{2069}'],
  ['a direction mark', 'Ada\u{200F}'],
  ['the Arabic letter mark', '\u{61C}Ada'],
  ['a zero-width space', 'A\u{200B}da'],
  ['a byte order mark', 'A\u{FEFF}da'],
  ['half a surrogate pair', 'Ada \u{D800}'],
])('a name with %s is unusable', (_, name) => {
  expect(nameFault(name)).toBe('name-unusable');
});
