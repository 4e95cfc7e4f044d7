/** Writes an explained condition on one line, with the values that it saw instead of its names. */
import type { Explanation } from '../../pipeline/index.ts';
import { truncate } from '../../shared/format.ts';
import { previewValue } from './preview.ts';

/** A piece of the line. `source` is as written, and `value` stands for what was written. */
export interface Segment {
  text: string;
  state: 'source' | 'value' | 'not-evaluated' | 'failed';
}

export interface InlineOptions {
  /** Maximum characters of a value. */
  value?: number;
  /** Maximum characters of the line. */
  line?: number;
}

/** For example, `true == true` for `currentItem.data.Admin == true`. */
export function inlineText(explanation: Explanation, { value = 40, line = 300 }: InlineOptions = {}): Segment[] {
  const writer = new InlineWriter(value);
  writer.write(explanation);
  return shorten(writer.segments, line);
}

/** The text of all segments. */
export const textOfSegments = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join('');

class InlineWriter {
  readonly segments: Segment[] = [];
  readonly #valueLength: number;

  constructor(valueLength: number) {
    this.#valueLength = valueLength;
  }

  write(part: Explanation): void {
    if (part.state === 'not-evaluated') this.#add(part.text, 'not-evaluated');
    else if (part.state === 'failed' && !part.parts.some(({ state }) => state === 'failed'))
      this.#add(part.text, 'failed');
    else if (isShownAsValue(part)) this.#add(previewValue(part.value, this.#valueLength), 'value');
    else this.#writeParts(part);
  }

  /** Writes the parts, and the source around them. */
  #writeParts({ text, start, end, parts }: Explanation): void {
    let at = start;
    for (const part of parts) {
      const before = text.slice(at - start, part.start - start);
      this.#add(before, 'source');
      // It has run for several items. Only the last one’s values are known.
      if (/=>\s*$/.test(before) && part.state === 'evaluated') this.#add(part.text, 'source');
      else this.write(part);
      at = part.end;
    }
    this.#add(text.slice(at - start, end - start), 'source');
  }

  #add(text: string, state: Segment['state']): void {
    const line = state === 'value' ? text : text.replace(/\s+/g, ' ');
    const last = this.segments.at(-1);
    if (last?.state === state) last.text += line;
    else if (line) this.segments.push({ text: line, state });
  }
}

/** A call is shown with its object and arguments, unless they’re all constants. */
function isShownAsValue(part: Explanation): boolean {
  if (part.state === 'failed' || part.isGlobal) return false;
  switch (part.kind) {
    case 'name':
    case 'parameter':
    case 'member':
    case 'template':
      return true;
    case 'chain':
      return part.key !== undefined || part.parts[0]?.value === undefined;
    case 'call':
    case 'methodCall':
      return part.parts.every(isConstant);
    default:
      return false;
  }
}

const isConstant = ({ kind, isGlobal, parts }: Explanation): boolean =>
  isGlobal === true || kind === 'literal' || kind === 'regexp' || (kind === 'unary' && parts.every(isConstant));

function shorten(segments: readonly Segment[], length: number): Segment[] {
  const shown: Segment[] = [];
  let room = length;
  for (const { text, state } of segments) {
    shown.push({ text: truncate(text, room), state });
    room -= text.length;
    if (room < 0) break;
  }
  return shown;
}
