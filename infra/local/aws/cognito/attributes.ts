import { emailTaken, invalidParameter, notAuthorized } from './errors.ts';
import type { UserPool, UserPoolClient } from './pools.ts';
import type { User, Users } from './users.ts';
import { FOR_ADMINISTRATORS } from './writable-attributes.ts';

// OpenID Connect's standard claims. Every pool has them; users and administrators can write these.
const STANDARD = new Set([
  'address',
  'birthdate',
  'email',
  'family_name',
  'gender',
  'given_name',
  'locale',
  'middle_name',
  'name',
  'nickname',
  'phone_number',
  'picture',
  'preferred_username',
  'profile',
  'updated_at',
  'website',
  'zoneinfo',
]);
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

type Writer = UserPoolClient | 'administrator';

/** Refuses attributes that the pool doesn't have or that the writer may not write. */
export function checkAttributes(pool: UserPool, writer: Writer, attributes: Record<string, string>): void {
  const declared = new Set(pool.settings.Schema.map(({ Name }) => Name));
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'sub') throw invalidParameter('Cannot modify the non-mutable attribute sub');
    const custom = name.startsWith('custom:') && declared.has(name.slice('custom:'.length));
    if (!STANDARD.has(name) && !FOR_ADMINISTRATORS.has(name) && !custom) {
      throw invalidParameter(
        `Attributes did not conform to the schema: Type for attribute {${name}} could not be determined`,
      );
    }
    if (writer !== 'administrator') {
      const writable = writer.settings.WriteAttributes;
      if (FOR_ADMINISTRATORS.has(name) || (writable && !writable.includes(name))) {
        throw notAuthorized('A client attempted to write unauthorized attribute');
      }
    }
    checkLength(pool, name, value);
  }
  const email = attributes['email'];
  if (email !== undefined && !EMAIL.test(email)) throw invalidParameter('Invalid email address format.');
}

/** Checks lengths by the pool's schema. Standard attributes have 0 to 2,048 characters by default. */
function checkLength(pool: UserPool, name: string, value: string): void {
  const { MinLength = '0', MaxLength = '2048' } =
    pool.settings.Schema.find((attribute) => attribute.Name === name)?.StringAttributeConstraints ?? {};
  const nonconforming = (rule: string) =>
    invalidParameter(
      `Attributes did not conform to the schema: ${name}: String must be ${rule} characters\n`,
    );
  if (value.length > Number(MaxLength)) throw nonconforming(`no longer than ${MaxLength}`);
  if (value.length < Number(MinLength)) throw nonconforming(`no shorter than ${MinLength}`);
}

export function checkMutable(pool: UserPool, changed: readonly string[]): void {
  for (const { Name, Mutable } of pool.settings.Schema) {
    if (Mutable === false && changed.some((name) => name === Name || name === `custom:${Name}`)) {
      // moto's message. AWS's documents name none.
      throw invalidParameter(`user.${Name}: Attribute cannot be updated.`);
    }
  }
}

export function checkRequired(pool: UserPool, attributes: Record<string, string>): void {
  for (const { Name, Required } of pool.settings.Schema) {
    if (Required && !attributes[Name]) {
      throw invalidParameter(
        `Attributes did not conform to the schema: ${Name}: The attribute ${Name} is required\n`,
      );
    }
  }
}

export function checkEmailFree(users: Users, pool: UserPool, user: User, email: string): void {
  const holder = users.byEmail(pool, email);
  if (holder && holder.username !== user.username) throw emailTaken('AliasExistsException');
}
