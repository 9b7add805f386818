import { afterEach, describe, expect, test, vi } from 'vitest';
import { commands, help, ops } from '../../../../infra/operate/ops.ts';

const said = vi.spyOn(console, 'log').mockImplementation(() => {});
const failed = vi.spyOn(console, 'error').mockImplementation(() => {});
afterEach(() => vi.clearAllMocks());

describe('npm run ops', () => {
  test('lists every command in a line', async () => {
    expect(await ops(['--help'])).toBe(0);
    expect(said).toHaveBeenCalledWith(help());
    for (const name of Object.keys(commands)) expect(help()).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
  });

  test.each([
    ['nothing', [], 'npm run ops -- <command>'],
    ['an unknown command', ['toString'], 'There is no command toString.'],
    [
      'no stage',
      ['pause'],
      'Name a stage: staging or production.\nnpm run ops -- pause <staging|production>',
    ],
    [
      'an unknown option',
      ['pause', 'staging', '--stop'],
      'npm run ops -- pause <staging|production> [--end]',
    ],
    ['an unknown commit', ['losses', 'no-such-branch'], 'There is no commit no-such-branch here.'],
  ])('refuses %s with what would be right', async (_, parameters, says) => {
    expect(await ops(parameters)).toBe(2);
    expect(failed).toHaveBeenCalledWith(expect.stringContaining(says));
  });

  test.each(Object.keys(commands))('says what follows %s', async (name) => {
    expect(await ops([name, '--help'])).toBe(0);
    expect(said).toHaveBeenCalledWith(expect.stringContaining(`npm run ops -- ${name}`));
  });
});
