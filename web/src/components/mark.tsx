/** The logo: a ditto mark on a highlighted square. */
export function Mark({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <path fill="var(--highlight)" d="M0 0h32v32H0z" />
      <path fill="var(--on-highlight)" d="M11 7h6l-4 18H7zm10 0h6l-4 18h-6z" />
    </svg>
  );
}
