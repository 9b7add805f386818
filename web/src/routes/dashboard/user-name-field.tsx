/** Tells a password manager whose password a form is about. Nobody else sees it. */
export function UserNameField({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />;
}
