import { expect, test } from 'vitest';
import { product } from '../../../../schemas/product/product.ts';
import { markdownOf } from '../../../../web/build/markdown.ts';

test('a page as Markdown has its texts, links and tables, and neither drawings nor controls', () => {
  const html = `<nav>Menu</nav><main><h1>Words &amp; more</h1>
    <figure role="img"><p>Drawn <br>text</p></figure><div aria-hidden="true"><p>Hidden</p></div>
    <p>See <a href="/help#faq">the <b>help</b></a>,<!-- --> <em>now</em>.</p><button>Press</button>
    <ul><li><p>One</p></li><li>Two</li></ul>
    <table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><th>1</th><td>2</td></tr></tbody></table></main>`;
  expect(markdownOf(html)).toBe(
    `# Words & more

See [the **help**](${product.siteOrigin}/help#faq), *now*.

- One

- Two

| A | B |
| --- | --- |
| 1 | 2 |
`,
  );
});
