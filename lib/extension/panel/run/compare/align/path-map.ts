/** Finds where the later run has what the earlier one has at a path, although items were inserted, removed, or moved. */
import { matchItems } from '../../../../../debugging/compare/align.ts';
import { escapeToken, parsePointer } from '../../../../../shared/json-pointer.ts';
import type { Change, RemoteValue } from '../../../../inspector/contract.ts';
import { entryOf, isComposite } from '../../../shared/remote-value.ts';
import type { TraceStep } from '../../trace.ts';
import { remoteItems } from './remote-items.ts';

export type MapPath = (path: string) => string;

export class PathMap {
  readonly #before: RemoteValue;
  readonly #now: RemoteValue;
  /** For each list of the earlier run’s context, the counterparts of its items. */
  readonly #matches = new Map<RemoteValue, readonly number[]>();

  /** Contexts at the end of both runs, in which lists are complete. */
  constructor(before: RemoteValue, now: RemoteValue) {
    this.#before = before;
    this.#now = now;
  }

  /** The path in the later run, for a step and its counterpart. */
  toNow(path: string, before: TraceStep, now: TraceStep): string {
    if (!/\/\d/.test(path)) return path;
    let [left, right]: (RemoteValue | undefined)[] = [this.#before, this.#now];
    const tokens = parsePointer(path).map((token) => {
      const other = this.#tokenOf(token, left, right) ?? ownIndex(token, before.iteration, now.iteration);
      left = left && isComposite(left) ? entryOf(left, token) : undefined;
      right = right && isComposite(right) ? entryOf(right, other) : undefined;
      return other;
    });
    return tokens.map((token) => `/${escapeToken(token)}`).join('');
  }

  /** Undefined if it isn’t the index of a known item. */
  #tokenOf(token: string, left: RemoteValue | undefined, right: RemoteValue | undefined): string | undefined {
    if (left?.t !== 'array' || right?.t !== 'array' || !/^\d+$/.test(token)) return undefined;
    let match = this.#matches.get(left);
    if (!match) {
      match = matchItems<RemoteValue | undefined>(left.items, right.items, remoteItems(''));
      this.#matches.set(left, match);
    }
    const other = match[Number(token)] ?? -1;
    return other < 0 ? undefined : String(other);
  }
}

/** Loops change the items of a list one by one, so an index that is the iteration’s is the counterpart’s there. */
function ownIndex(token: string, before: readonly number[], now: readonly number[]): string {
  const depth = before.findIndex((index, at) => String(index) === token && now[at] !== index);
  return depth < 0 ? token : String(now[depth]);
}

/** The changes with paths of the later run. */
export const mapChanges = (changes: readonly Change[], map: MapPath): readonly Change[] =>
  changes.some(({ path }) => map(path) !== path) ? changes.map((each) => ({ ...each, path: map(each.path) })) : changes;
