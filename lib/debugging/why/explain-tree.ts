/** Lists the parts of an explained condition as the rows of a tree. */
import type { Explanation } from '../../pipeline/index.ts';
import { previewValue } from './preview.ts';

export interface ExplainedRow {
  /** The row’s index. */
  id: number;
  level: number;
  /** The part as written, on one line. */
  text: string;
  /** Offsets into the condition. `end` is exclusive. */
  start: number;
  end: number;
  state: Explanation['state'];
  /** Undefined unless it was evaluated. */
  value: unknown;
  /** More than once only inside an arrow function. The value is then the last one. */
  times: number;
  /** Why it wasn’t evaluated. */
  reason?: string;
  /** Why it failed. Only in the row of the innermost part that failed. */
  error?: string;
}

/** From the outside in. Constants other than the whole condition are left out. */
export function explainTree(explanation: Explanation): ExplainedRow[] {
  const rows: ExplainedRow[] = [];
  addRows(rows, explanation, 0);
  return rows;
}

function addRows(rows: ExplainedRow[], part: Explanation, level: number, reason?: string): void {
  const { text, start, end, state, value, times, error, parts } = part;
  const isInnermost = !parts.some((inner) => inner.state === 'failed');
  rows.push({
    id: rows.length,
    level,
    text: text.replace(/\s+/g, ' '),
    start,
    end,
    state,
    value,
    times,
    ...(state === 'not-evaluated' && reason !== undefined && { reason }),
    ...(state === 'failed' && isInnermost && { error: messageOf(error) }),
  });
  for (const inner of parts) if (!isConstant(inner)) addRows(rows, inner, level + 1, reason ?? reasonOf(part, inner));
}

const isConstant = ({ kind, isGlobal }: Explanation): boolean =>
  kind === 'literal' || kind === 'regexp' || isGlobal === true;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Why a part of an evaluated part wasn’t evaluated. */
function reasonOf(parent: Explanation, part: Explanation): string | undefined {
  if (part.state !== 'not-evaluated') return undefined;
  const [first] = parent.parts;
  if (!first || first.state === 'failed' || parent.parts.some(({ state }) => state === 'failed'))
    return 'another part failed before';
  const value = previewValue(first.value, 20);
  if (parent.kind === 'binary') return `“${value} ${parent.operator}” decided`;
  if (parent.kind === 'conditional') return `“${value} ?” decided`;
  if (first.value === undefined || first.value === null) return `${first.text.replace(/\s+/g, ' ')} is ${value}`;
  return parent.state === 'failed' ? 'another part failed before' : 'the function was never called';
}
