/**
 * A hidden field that tells password managers which account a form belongs to. Empty if the account isn't
 * known.
 */
export function UserNameField({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />;
}
