/** Linux's limits on watches per user, with a value that is enough (inotify(7)). */
const limits = {
  ENOSPC: 'fs.inotify.max_user_watches=524288',
  EMFILE: 'fs.inotify.max_user_instances=1024',
};

/** A sentence about a file that the system can't watch, with the fix. `message`: the system's message. */
export function watchFailure(message: string, platform: string = process.platform): string {
  const [, code] = /\b(ENOSPC|EMFILE)\b/.exec(message) ?? [];
  const limit = platform === 'linux' && code !== undefined ? limits[code as keyof typeof limits] : undefined;
  const remedy =
    limit === undefined ? 'restart' : `sudo sysctl ${limit} raises the limit; until then, restart`;
  return `Some changes won't be noticed, since not every file can be watched (${message}): ${remedy} after a change.`;
}
