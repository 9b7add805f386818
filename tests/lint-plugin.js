/*
 * Our own rules for oxlint. JavaScript, so that an editor's oxlint can load them with any Node.js.
 */
const EFFECTS = new Set(['useEffect', 'useLayoutEffect', 'useInsertionEffect']);
const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression']);

/** The name a function is called by, as in `useEffect()` and `React.useEffect()`. */
const nameOf = (callee) => (callee.type === 'MemberExpression' ? callee.property : callee).name;

/**
 * React calls what an effect returns. `() => scrollTo(0, 0)` returns undefined in some browsers and a Promise
 * in others, where leaving the page then throws. TypeScript's types say undefined.
 */
const effectBraces = {
  create: (context) => ({
    CallExpression({ callee, arguments: [effect] }) {
      if (!EFFECTS.has(nameOf(callee)) || effect?.type !== 'ArrowFunctionExpression') return;
      const { body } = effect;
      if (!effect.async && (body.type === 'BlockStatement' || FUNCTIONS.has(body.type))) return;
      context.report({
        node: body,
        message: 'React calls what an effect returns. Write braces, and return a clean-up or nothing.',
      });
    },
  }),
};

const MAXIMUM_COLUMNS = 110;

/** Comments are read beside each other in two windows. Addresses and lint directives can't be wrapped. */
const commentWidth = {
  create: (context) => ({
    Program() {
      const { lines } = context.sourceCode;
      for (const comment of context.sourceCode.getAllComments()) {
        const { start, end } = comment.loc;
        for (let line = start.line; line <= end.line; line += 1) {
          const text = lines[line - 1] ?? '';
          if (!/^\s*(\/\/|\/\*|\*)/.test(text) || /https?:\/\/|oxlint-disable/.test(text)) continue;
          if ([...text].length > MAXIMUM_COLUMNS) {
            context.report({
              loc: { start: { line, column: 0 }, end: { line, column: text.length } },
              message: `Comments have at most ${MAXIMUM_COLUMNS} columns.`,
            });
          }
        }
      }
    },
  }),
};

/** The comments of a file as lists of lines. Line comments on consecutive lines are one comment. */
function commentsOf(sourceCode) {
  const { lines } = sourceCode;
  const comments = [];
  for (const { type, value, loc } of sourceCode.getAllComments()) {
    const { line } = loc.start;
    const last = comments.at(-1);
    const standsAlone = type === 'Line' && (lines[line - 1] ?? '').trimStart().startsWith('//');
    if (standsAlone && last?.standsAlone && last.line + last.lines.length === line) last.lines.push(value);
    else comments.push({ line, standsAlone, lines: value.split('\n') });
  }
  return comments;
}

// A sentence that begins with `Of` or `What`: at the start of a comment or paragraph, or after another one.
const HEADLESS = /(?<=^\s*|[.!?:]\s+|\n\s*\n\s*)(?:Of|What) (?:[^.!?]|[.!?](?!\s|$))*[.!?]?/g;

/** A comment is easier to read if it begins with its subject. Questions may begin with `What`. */
const commentSubject = {
  create: (context) => ({
    Program() {
      for (const { line, lines } of commentsOf(context.sourceCode)) {
        const text = lines.map((part) => part.replace(/^[\s*]+/, '').trimEnd()).join('\n');
        for (const { 0: sentence, index } of text.matchAll(HEADLESS)) {
          if (sentence.endsWith('?')) continue;
          const at = line + text.slice(0, index).split('\n').length - 1;
          context.report({
            loc: { start: { line: at, column: 0 }, end: { line: at, column: 1 } },
            message: `Begin with the subject instead of "${sentence.slice(0, 30)}…": "The fields that …".`,
          });
        }
      }
    },
  }),
};

// `tone="secondary"`, or `tone=` before an expression in braces.
const ATTRIBUTE = /(?<=^|\s)[A-Za-z][\w:-]*=(?=["']|$)/;

/** An attribute after the `>` of its tag is printed as text. Types and formatting accept it. */
const textAttribute = {
  create: (context) => ({
    JSXText(node) {
      const [attribute] = ATTRIBUTE.exec(node.value) ?? [];
      if (attribute === undefined) return;
      context.report({
        node,
        message: `"${attribute}" is text here. Attributes stand before the tag's ">".`,
      });
    },
  }),
};

export default {
  meta: { name: 'selfsame' },
  rules: {
    'effect-braces': effectBraces,
    'comment-width': commentWidth,
    'comment-subject': commentSubject,
    'text-attribute': textAttribute,
  },
};
