// "Prepend each cell field with a single quote, so that their content will be read as text":
// https://owasp.org/www-community/attacks/CSV_Injection. The last four are full-width =, +, - and @.
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A row of a CSV file (RFC 4180) that no spreadsheet treats as a formula. Every field is quoted. */
export const csvRow = (fields: readonly string[]): string =>
  `${fields.map((field) => `"${(FORMULA.test(field) ? `'${field}` : field).replaceAll('"', '""')}"`).join(',')}\r\n`;
