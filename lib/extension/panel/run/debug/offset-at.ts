/** Finds the value that a JSON Pointer refers to in JSON text. */
import { parsePointer } from '../../../../shared/json-pointer.ts';

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** An object or array that isn't closed yet: the name or index of its current value. */
interface Open {
  isArray: boolean;
  at: string;
}

/**
 * The offset of the value at `pointer`, or of the closest value around it, in valid JSON text. Doesn't recurse, so any nesting
 * depth works.
 */
export function offsetAt(text: string, pointer: string): number {
  const wanted = parsePointer(pointer);
  const open: Open[] = [];
  let closest = 0;
  let depth = 0;
  let isName = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const inner = open.at(-1);
    if (isName && token !== '}') inner!.at = JSON.parse(token) as string;
    else if (token === ',' && inner?.isArray) inner.at = String(Number(inner.at) + 1);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ',' && token !== ':') {
      const isOnPath = open.length <= wanted.length && open.every(({ at }, level) => at === wanted[level]);
      if (isOnPath && open.length >= depth) [closest, depth] = [index, open.length];
      if (isOnPath && depth === wanted.length) return closest;
      if (token === '{' || token === '[') open.push({ isArray: token === '[', at: '0' });
    }
    isName = token === '{' || (token === ',' && inner !== undefined && !inner.isArray);
  }
  return closest;
}
