import { lazy, Suspense } from 'react';

// The drawing is as it was built, so its script would do nothing in a page that has it in its HTML.
const built = import.meta.env.SSR ? undefined : document.getElementById('hero')?.innerHTML;
const html = built ? { __html: built } : undefined;

const Drawing = import.meta.env.SSR
  ? (await import('./hero-drawing.tsx')).default
  : lazy(() => import('./hero-drawing.tsx'));

/** The drawing, from the page's HTML. Its script is loaded where the user comes from another page. */
export function HeroPicture() {
  if (html) return <div id="hero" dangerouslySetInnerHTML={html} />;
  return (
    <div id="hero">
      <Suspense>
        <Drawing />
      </Suspense>
    </div>
  );
}
