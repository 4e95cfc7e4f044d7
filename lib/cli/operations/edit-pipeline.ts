/** Changes values of a recorded pipeline, such as a condition, for a replay. */
import type { Recording } from '../../debugging/recording/format.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import { parsePointer } from '../../shared/json-pointer.ts';

export interface PipelineEdit {
  /** JSON Pointer into the pipeline, such as `/1/functions/0/conditions/0/condition`. */
  path: string;
  value: unknown;
}

/** A copy of the recording’s pipeline with the edits, in their order. @throws CodedError `EDIT_PATH_MISSING` */
export function editedPipeline({ pipeline }: Recording, edits: readonly PipelineEdit[]): unknown {
  const root = { pipeline: structuredClone(pipeline) as unknown };
  for (const { path, value } of edits) {
    const tokens = ['pipeline', ...parsePointer(path)];
    const last = tokens.pop()!;
    let parent: unknown = root;
    for (const token of tokens) parent = ownValue(parent, token);
    if (!isNested(parent) || (Array.isArray(parent) && !isIndex(last, parent.length))) throw missing(path);
    Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true });
  }
  return root.pipeline;
}

/** The end of an array is a place, too: a step can be added there. */
const isIndex = (token: string, length: number): boolean => /^(0|[1-9]\d{0,8})$/.test(token) && Number(token) <= length;

const ownValue = (parent: unknown, name: string): unknown =>
  isNested(parent) && Object.hasOwn(parent, name) ? (parent as Record<string, unknown>)[name] : undefined;

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const missing = (path: string): CodedError =>
  new CodedError({
    code: 'EDIT_PATH_MISSING',
    message: `Couldn’t change ${path}: the recorded pipeline has nothing there.`,
    hint: 'Check the path: it’s a JSON Pointer into the pipeline.',
  });
