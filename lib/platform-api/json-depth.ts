/** Measures how deeply JSON is nested. */

/** Whether more than `levels` arrays and objects are nested in one another. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level = [value].filter(isNested);
  // Checks the value level by level. With recursion, the stack size would determine the limit.
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === levels) return true;
    level = level.flatMap((each) => Object.values(each).filter(isNested));
  }
  return false;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;
