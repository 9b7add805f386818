import { product } from '../../../../schemas/product/product.ts';
import { problemsOf } from '../../../stages/stage-problems.ts';
import { type Check, error, warning } from '../check.ts';
import type { Target } from '../target.ts';

export const settings = ({ stageName, stage, owner }: Target): Check => ({
  name: 'Settings',
  needsCredentials: false,
  async run() {
    const findings = problemsOf(stageName, stage, owner).map((problem) =>
      error(
        problem,
        'Edit the file. infra/stages/stage.ts, schemas/product/owner.ts and .github/deploying.md say what the setting is for.',
      ),
    );
    if ((process.umask() & 0o044) !== 0) {
      findings.push(
        error(
          'Files that are made here are for your user alone, and so Lambda could not read its code.',
          'umask 022',
        ),
      );
    }
    const { origin } = URL.parse(product.siteOrigin) ?? {};
    if (stage.keepsData && stage.domain && origin !== `https://${stage.domain.name}`) {
      findings.push(
        warning(
          `Canonical links name ${product.siteOrigin}, and the site is at https://${stage.domain.name}.`,
          `Set siteOrigin in schemas/product/product.ts to 'https://${stage.domain.name}'.`,
        ),
      );
    }
    return findings;
  },
});
