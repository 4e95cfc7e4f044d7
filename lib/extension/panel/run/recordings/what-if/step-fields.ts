/** The parts of a step that are edited most: conditions, settings, and what a loop goes through. */
import { parsePointer, valueAt } from '../../../../../shared/json-pointer.ts';
import { isRecord } from '../../../../../shared/objects.ts';
import type { PipelineNode } from '../../pipeline-tree.ts';

export interface StepField {
  /** JSON Pointer into the pipeline. */
  path: string;
  label: string;
  /** `text` is a string, such as a condition. */
  kind: 'text' | 'json';
  text: string;
}

/** Maximum number of a step’s fields. */
const MAX_FIELDS = 50;

export function stepFields({ kind, path, source }: PipelineNode): StepField[] {
  if (!isRecord(source)) return [];
  const { conditions, items, range, settings } = source;
  if (kind === 'if')
    return Array.isArray(conditions) ? conditions.slice(0, MAX_FIELDS).flatMap(conditionField(path)) : [];
  if (kind === 'loop')
    return typeof items === 'string'
      ? [{ path: `${path}/items`, label: 'Items', kind: 'text', text: items }]
      : [jsonField(`${path}/range`, 'Range', range)];
  return kind === 'function' ? [jsonField(`${path}/settings`, 'Settings', settings)] : [];
}

const conditionField =
  (path: string) =>
  (block: unknown, index: number): StepField[] => {
    const condition = isRecord(block) ? block['condition'] : undefined;
    if (typeof condition !== 'string') return [];
    const label = index === 0 ? 'When' : 'Or when';
    return [{ path: `${path}/conditions/${index}/condition`, label, kind: 'text', text: condition }];
  };

const jsonField = (path: string, label: string, value: unknown): StepField => ({
  path,
  label,
  kind: 'json',
  text: JSON.stringify(value ?? {}, null, 2),
});

/** A copy of the pipeline with another value at a place. */
export function withValueAt(pipeline: unknown, path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(pipeline);
  const end = path.lastIndexOf('/');
  const holder = valueAt(copy, path.slice(0, end));
  const [name] = parsePointer(path.slice(end));
  if (typeof holder === 'object' && holder !== null && name !== undefined)
    Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
  return copy;
}
