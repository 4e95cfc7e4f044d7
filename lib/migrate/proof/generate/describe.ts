/** Describes the inputs of a generated run, so that a person can make the same run. */
import type { Inputs } from './simulate.ts';

const MAX_TEXT = 300;

/** The payload as JSON, and by path what steps put into the context, or how else they end. */
export function inputsText({ payload, outcomes }: Inputs): { payload: string; outcomes: Record<string, string> } {
  const found: Record<string, string> = {};
  for (const [path, [first]] of outcomes) {
    if (!first || 'step' in first) continue;
    found[path] = text('values' in first ? first.values : first);
  }
  return { payload: text(payload), outcomes: found };
}

function text(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length <= MAX_TEXT ? json : `${json.slice(0, MAX_TEXT)}…`;
}
