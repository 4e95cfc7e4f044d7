/** Delta debugging: finds a smallest part of something that still passes a test (Zeller and Hildebrandt, 2002). */

/** @returns whether this part passes */
export type Test = (kept: readonly number[]) => Promise<boolean>;

/**
 * @param count the number of pieces. All of them together pass
 * @returns the indexes of pieces that pass together. Without any one of them, they don’t
 */
export async function ddmin(count: number, test: Test): Promise<number[]> {
  let kept = Array.from({ length: count }, (_, index) => index);
  if (count === 0 || (await test([]))) return [];
  for (let parts = 2; kept.length > 1;) {
    const smaller = await reduce(kept, Math.min(parts, kept.length), test);
    if (smaller) {
      kept = smaller.kept;
      parts = smaller.parts;
    } else if (parts >= kept.length) break;
    else parts *= 2;
  }
  return kept;
}

async function reduce(
  kept: readonly number[],
  parts: number,
  test: Test,
): Promise<{ kept: number[]; parts: number } | null> {
  const size = Math.ceil(kept.length / parts);
  const chunks = Array.from({ length: Math.ceil(kept.length / size) }, (_, nth) =>
    kept.slice(nth * size, (nth + 1) * size),
  );
  for (const chunk of chunks) if (chunk.length < kept.length && (await test(chunk))) return { kept: chunk, parts: 2 };
  // Of two parts, each one is the rest of the other.
  if (chunks.length === 2) return null;
  for (const chunk of chunks) {
    const rest = kept.filter((index) => index < chunk[0]! || index > chunk.at(-1)!);
    if (rest.length > 0 && (await test(rest))) return { kept: rest, parts: Math.max(2, chunks.length - 1) };
  }
  return null;
}
