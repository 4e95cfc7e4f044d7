/** Links the lines of V3 code to the steps of the V2 pipeline, by the comments with their paths. */
import { pathsIn } from '../../../migrate/index.ts';

/** 1-based lines, both included. The first one is the comment with the path. */
export interface CodeRange {
  from: number;
  to: number;
}

interface OpenRange extends CodeRange {
  path: string;
  indent: number;
}

export class CodeLinks {
  /** By path, in the order of the code. */
  readonly #ranges = new Map<string, CodeRange>();

  /** @param code which can have been edited */
  constructor(code: string) {
    for (const { path, from, to } of rangesIn(code)) if (!this.#ranges.has(path)) this.#ranges.set(path, { from, to });
  }

  has(path: string): boolean {
    return this.#ranges.has(path);
  }

  /** The lines of a step. For a block of an `if` step, those of its first step, or else of the `if` step. */
  rangeOf(path: string): CodeRange | null {
    const own = this.#ranges.get(path);
    if (own) return own;
    for (const [inner, range] of this.#ranges) if (inner.startsWith(`${path}/`)) return range;
    const block = /^(.*)\/(?:conditions\/\d+|elseFunctions)$/.exec(path)?.[1];
    return (block !== undefined && this.#ranges.get(block)) || null;
  }

  /** The innermost step that has the line. */
  pathAt(line: number): string | null {
    let found: string | null = null;
    for (const [path, { from, to }] of this.#ranges) {
      if (from > line) break;
      if (to >= line) found = path;
    }
    return found;
  }
}

/** A step ends at a line that is further left, or before an empty line with more of its own level below. */
function rangesIn(code: string): OpenRange[] {
  const comments = new Map(pathsIn(code).map(({ path, line }) => [line, path]));
  const ranges: OpenRange[] = [];
  const open: OpenRange[] = [];
  let isAfterEmpty = false;
  code.split('\n').forEach((text, index) => {
    if (text.trim() === '') return void (isAfterEmpty = true);
    const line = index + 1;
    const path = comments.get(line);
    const indent = text.length - text.trimStart().length;
    const isOver = (range: OpenRange): boolean =>
      range.indent > indent ||
      (path === undefined ? isAfterEmpty && range.indent === indent : !path.startsWith(`${range.path}/`));
    for (let last = open.at(-1); last && isOver(last); last = open.at(-1)) open.pop();
    if (path !== undefined) {
      const range = { path, indent, from: line, to: line };
      ranges.push(range);
      open.push(range);
    }
    for (const range of open) range.to = line;
    isAfterEmpty = false;
  });
  return ranges;
}
