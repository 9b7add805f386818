/** A hidden field that tells password managers the form's account; empty if it isn't known. */
export function UserNameField({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />;
}
