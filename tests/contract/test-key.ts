/** The test key in the environment; undefined without one. Anything but a test key is refused. */
export function testKey(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const key = environment['STRIPE_SECRET_KEY'];
  if (!key) return undefined;
  // The command line makes keys of its own for a sandbox: rkcs_test_…
  if (!/^(sk|rk|rkcs)_test_/.test(key)) {
    throw new Error(
      'STRIPE_SECRET_KEY is not a test key (sk_test_…), so nothing was sent: these tests create and delete customers.',
    );
  }
  return key;
}
