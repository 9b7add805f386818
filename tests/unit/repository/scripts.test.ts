import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };

const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-scripts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function program(file: string, lines: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${lines}\n`);
  chmodSync(file, 0o755);
}

/** A script for each form that goes on with a program of Node: the program doesn't matter. */
const onOtherNode = new Map(
  Object.values(packageJson.scripts)
    .filter((script) => /install\.mjs.*&&.*\bnode\b/.test(script))
    .map((script) => [script.replace(/(?<=&&.*\bnode) .*/, ''), script]),
);

// A shell remembers where it found a program. npm's is `sh`, which is dash on Debian and bash elsewhere.
describe.each(['sh', 'bash'])('A script on a machine with an older Node, run by %s', (shell) => {
  it.each([...onOtherNode])('goes on with the Node that its installation brought: %s', (form, script) => {
    const home = path.join(folder, `${shell}-${form.replaceAll(/\W+/g, '-')}`);
    const installed = path.join(home, 'installed');
    const log = path.join(home, 'log');
    // The older Node brings the newer, as the installation does.
    program(path.join(home, 'newer', 'node'), `echo "newer $*" >> '${log}'`);
    program(
      path.join(home, 'older', 'node'),
      `echo "older $*" >> '${log}'; cp '${home}/newer/node' '${installed}'`,
    );
    program(path.join(home, 'older', 'oxfmt'), '');
    mkdirSync(installed);
    execFileSync(shell, ['-c', script], {
      stdio: 'ignore',
      env: { PATH: [installed, path.join(home, 'older'), process.env['PATH']].join(path.delimiter) },
    });

    expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual([
      expect.stringMatching(/^older infra\/local\/install\.mjs/),
      expect.stringMatching(/^newer \S+\.ts/),
    ]);
  });
});
