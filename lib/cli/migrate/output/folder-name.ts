/** Names the folders of actions: safe in every file system, and different for different actions. */
import { createHash } from 'node:crypto';

const LONGEST = 80;
/** Device names of Windows. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** The name itself if it’s safe, and otherwise its safe characters with a digest of the name. */
export function folderName(name: string): string {
  const isSafe = /^[a-z\d][a-z\d_-]*$/.test(name) && name.length <= LONGEST && !RESERVED.test(name);
  if (isSafe) return name;
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, LONGEST - 9)
    .replaceAll(/^-+|-+$/g, '');
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${words || 'action'}-${digest}`;
}
