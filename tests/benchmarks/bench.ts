/** Runs a benchmark: `npm run bench -- <name> [options]`. README.md says what each measures. */
const benchmarks = ['cold-start', 'site'];

const [name = ''] = process.argv.splice(2, 1);
if (!benchmarks.includes(name)) {
  console.error(`npm run bench -- <${benchmarks.join(' | ')}> [options]`);
  console.error('tests/benchmarks/README.md says what each measures and takes.');
  process.exit(1);
}
await import(`./${name}.ts`);
