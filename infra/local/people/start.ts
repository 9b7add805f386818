/** `node infra/local/people/start.ts <origin>` seeds a running local world. Exits with 1 if that fails. */
import { seedPeople } from './seed.ts';

const [origin = 'http://localhost:3000'] = process.argv.slice(2);
try {
  await seedPeople(origin, (line) => console.log(line));
} catch (error) {
  console.error(`The people could not be seeded: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
