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

export default {
  meta: { name: 'selfsame' },
  rules: { 'effect-braces': effectBraces, 'comment-width': commentWidth },
};
