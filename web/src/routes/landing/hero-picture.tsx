import { lazy, Suspense } from 'react';

// The drawing never changes, so its script would do nothing in a page whose HTML already includes it.
const built = import.meta.env.SSR ? undefined : document.getElementById('hero')?.innerHTML;
const html = built ? { __html: built } : undefined;

const Drawing = import.meta.env.SSR
  ? (await import('./hero-drawing.tsx')).default
  : lazy(() => import('./hero-drawing.tsx'));

/** The drawing, from the page's HTML. The script is loaded only if the user comes from another page. */
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
