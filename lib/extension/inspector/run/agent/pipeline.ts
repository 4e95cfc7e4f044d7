/** Reads the page's pipeline, which can be an array or a JSON string. */
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { cut, ownValue } from '../../agent/describe/describe-cursor.ts';
import { type RejectionReason, writeForeign } from '../../agent/foreign-json.ts';
import type { Handles } from '../../agent/handles.ts';
import { utf8Length } from '../../agent/json.ts';
import { isArray, parseJson } from '../../agent/pristine.ts';
import { attempt, isObject, readProperty } from '../../agent/safe.ts';
import type { PageState } from '../../contract.ts';

const PIPELINE = { maxChars: 8 * 1024 * 1024, maxDepth: 200, functions: 'source' } as const;

type Rejected = { ok: false; error: ErrorValue };

/** The steps of `ENV.taskPipeline`: the page's own array, or what its JSON string contains. */
export function findSteps(env: object | null): { ok: true; steps: unknown[] } | Rejected {
  const pipeline = readProperty(env, 'taskPipeline');
  if (pipeline === undefined)
    return rejected('PIPELINE_MISSING', 'The page has no ENV.taskPipeline.', 'Open the debug page of an action.');
  return typeof pipeline === 'string' ? parseSteps(pipeline) : arrayOf(pipeline, kindOf(pipeline));
}

function parseSteps(text: string): ReturnType<typeof findSteps> {
  if (text.length > PIPELINE.maxChars) return pipelineError('too-large', '');
  const parsed = attempt(() => ({ value: parseJson(text) }));
  if (!parsed) return invalid('a string that isn’t JSON');
  return arrayOf(parsed.value, `a string that contains ${kindOf(parsed.value)}`);
}

function arrayOf(value: unknown, found: string): ReturnType<typeof findSteps> {
  // Revoked proxies throw.
  return attempt(() => isArray(value)) ? { ok: true, steps: value as unknown[] } : invalid(found);
}

const invalid = (found: string): Rejected =>
  rejected(
    'PIPELINE_INVALID',
    `ENV.taskPipeline must be an array. This one is ${found}.`,
    'Update the action with an array of steps, then open its debug page again.',
  );

const kindOf = (value: unknown): string =>
  value === null ? 'null' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;

/** Reads the pipeline as JSON text, and keeps the same handle while the text doesn't change. */
export class PipelineReader {
  readonly #handles: Handles;
  #text = '';
  #known: PageState['pipeline'] | null = null;

  constructor(handles: Handles) {
    this.#handles = handles;
  }

  read(env: object | null): PageState['pipeline'] {
    const found = findSteps(env);
    if (!found.ok) return found;
    const written = writeForeign(found.steps, PIPELINE);
    return written.ok ? this.#keep(written.text) : pipelineError(written.why, written.path);
  }

  #keep(text: string): PageState['pipeline'] {
    const known = this.#known;
    if (known?.ok && text === this.#text && this.#handles.get(known.handle) !== undefined) return known;
    this.#text = text;
    const steps = countSteps(parseJson(text));
    return (this.#known = { ok: true, steps, handle: this.#handles.add(text), bytes: utf8Length(text) });
  }
}

function pipelineError(why: RejectionReason, path: string): Rejected {
  const at = path === '' ? '' : ` at ${cut(path, 300)}`;
  const hint = 'Try running the action anyway: only the pipeline view needs plain data.';
  if (why === 'cycle') return rejected('PIPELINE_CYCLIC', `ENV.taskPipeline contains itself${at}.`, hint);
  if (why === 'too-large')
    return rejected('PIPELINE_TOO_LARGE', `ENV.taskPipeline is too large or too deep to show${at}.`, hint);
  return rejected('PIPELINE_UNREADABLE', `ENV.taskPipeline contains something that isn’t plain data${at}.`, hint);
}

function rejected(code: string, message: string, hint: string): Rejected {
  return { ok: false, error: { code, message, hint } };
}

/** Counts a pipeline's steps, including nested steps in loops, conditions, and other steps. */
function countSteps(steps: unknown): number {
  if (!isArray(steps)) return 0;
  let count = 0;
  const list = steps as unknown[];
  for (let i = 0; i < list.length; i++) {
    const step = list[i];
    if (!isObject(step)) continue;
    count += 1 + countSteps(ownValue(step, 'functions')) + countSteps(ownValue(step, 'elseFunctions'));
    const blocks = ownValue(step, 'conditions');
    if (!isArray(blocks)) continue;
    for (let j = 0; j < (blocks as unknown[]).length; j++) {
      const block = (blocks as unknown[])[j];
      if (isObject(block)) count += countSteps(ownValue(block, 'functions'));
    }
  }
  return count;
}
