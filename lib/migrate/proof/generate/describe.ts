/** Describes the inputs of a generated run, so that a person can make the same run. */
import type { Inputs } from './simulate.ts';

const MAX_TEXT = 300;

/** The payload as JSON, and what steps put into the context, by path. */
export function inputsText({ payload, outcomes }: Inputs): { payload: string; outcomes: Record<string, string> } {
  const found: Record<string, string> = {};
  for (const [path, [first]] of outcomes) if (first && 'values' in first) found[path] = text(first.values);
  return { payload: text(payload), outcomes: found };
}

function text(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length <= MAX_TEXT ? json : `${json.slice(0, MAX_TEXT)}…`;
}
