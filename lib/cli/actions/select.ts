/** Chooses the actions that were named. */
import { CodedError } from '../../platform-api/index.ts';
import { nearestName } from '../../shared/edit-distance.ts';
import { folderName } from '../migrate/output/folder-name.ts';
import type { Pair } from './compare.ts';
import type { BrokenFile } from './files.ts';

/** All of them without names. @throws CodedError `ACTION_NOT_FOUND` */
export function selectedPairs(pairs: readonly Pair[], names: readonly string[]): Pair[] {
  if (names.length === 0) return [...pairs];
  const isNamed = ({ name, there }: Pair, wanted: string): boolean => name === wanted || there?.name === wanted;
  const missing = names.find((wanted) => !pairs.some((pair) => isNamed(pair, wanted)));
  if (missing === undefined) return pairs.filter((pair) => names.some((wanted) => isNamed(pair, wanted)));
  const meant = nearestName(
    missing,
    pairs.map(({ name }) => name),
  );
  throw new CodedError({
    code: 'ACTION_NOT_FOUND',
    message: `Neither the app nor a file has an action “${missing}”.${meant ? ` Did you mean “${meant}”?` : ''}`,
    hint: 'List the actions with platform-devtools actions list.',
  });
}

/** Broken files that could be those of the named actions. */
export const selectedBroken = (broken: readonly BrokenFile[], names: readonly string[]): BrokenFile[] =>
  names.length === 0
    ? [...broken]
    : broken.filter(({ file }) => names.some((name) => [`${name}.json`, `${folderName(name)}.json`].includes(file)));
