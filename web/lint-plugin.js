/*
 * Rules for oxlint that are ours. JavaScript, so that an editor's oxlint can load them with any Node.js.
 */
const EFFECTS = new Set(['useEffect', 'useLayoutEffect', 'useInsertionEffect']);
const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression']);

/** The name a function is called by, as in `useEffect()` and `React.useEffect()`. */
const nameOf = (callee) => (callee.type === 'MemberExpression' ? callee.property : callee).name;

/**
 * React calls what an effect returns. `() => scrollTo(0, 0)` returns what `scrollTo` does: nothing in one
 * browser, a Promise in another, and there leaving the page throws. The types don't tell.
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

export default {
  meta: { name: 'site' },
  rules: { 'effect-braces': effectBraces },
};
