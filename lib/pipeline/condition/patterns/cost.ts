/** Bounds the time that the browser’s own matcher, which backtracks, needs for a pattern. */
import type { Part } from './syntax.ts';

/** A text of n characters takes at most `factor` times n + 1 to the power of `degree`, in comparisons of characters. */
export interface Cost {
  readonly factor: number;
  readonly degree: number;
}

interface Bound {
  /** The number of parts, with repeated ones as often as they must be there. */
  readonly size: number;
  /** A part can match in at most `ways` times n + 1 to the power of `degree` ways from a place. */
  readonly ways: number;
  readonly degree: number;
  /** Whether it needs a character. */
  readonly consumes: boolean;
}

export function costOf(root: Part): Cost {
  const { size, ways, degree } = boundOf(root);
  return { factor: size * ways, degree: degree + 1 };
}

const ONE: Bound = { size: 1, ways: 1, degree: 0, consumes: false };

// oxlint-disable-next-line complexity -- one case per kind of part
function boundOf(part: Part): Bound {
  switch (part.kind) {
    case 'character':
      return { ...ONE, consumes: true };
    case 'strings':
      return { ...ONE, ways: part.ways };
    case 'backreference':
      return { ...ONE, degree: 1 };
    case 'start':
    case 'end':
    case 'boundary':
      return ONE;
    case 'capture':
      return boundOf(part.body);
    case 'lookaround':
      return { ...boundOf(part.body), consumes: false };
    case 'sequence':
      return part.parts.map(boundOf).reduce(
        (sum, next) => ({
          size: sum.size + next.size,
          ways: sum.ways * next.ways,
          degree: sum.degree + next.degree,
          consumes: sum.consumes || next.consumes,
        }),
        ONE,
      );
    case 'alternatives':
      return part.parts.map(boundOf).reduce((sum, next) => ({
        size: sum.size + next.size,
        ways: sum.ways + next.ways,
        degree: Math.max(sum.degree, next.degree),
        consumes: sum.consumes && next.consumes,
      }));
    case 'repeat': {
      const { min, max } = part;
      const { size, ways, degree, consumes } = boundOf(part.body);
      const isBounded = max < Infinity;
      const whole = { size: size * (isBounded ? Math.max(max, 1) : min + 1), consumes: consumes && min > 0 };
      if (max === 0) return { ...whole, ways: 1, degree: 0 };
      if (ways === 1 && degree === 0) {
        if (isBounded) return { ...whole, ways: max - min + 1, degree: 0 };
        return { ...whole, ways: consumes ? 1 : Infinity, degree: 1 };
      }
      // Each time, it can match in other ways.
      return { ...whole, ways: isBounded ? (ways + 1) ** max : Infinity, degree: isBounded ? degree * max : 0 };
    }
  }
}
