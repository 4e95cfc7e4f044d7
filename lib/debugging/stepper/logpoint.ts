/** Compiles and writes the text of logpoints. */
import { compileCondition, type Condition, type Context, templateParts, toText } from '../../pipeline/index.ts';

/** Maximum characters of one value in a text. */
const MAX_VALUE = 1_000;

/** Returns the text for a context. An expression that fails shows its error. */
export type LogText = (context: Context) => string;

/** @throws ConditionError `INVALID_CONDITION` for the first expression that isn't valid */
export function compileLogText(template: string): LogText {
  const parts = templateParts(template).map((part) =>
    typeof part === 'string' ? part : compileCondition(part.source),
  );
  return (context) => parts.map((part) => (typeof part === 'string' ? part : textOf(part, context))).join('');
}

function textOf(value: Condition, context: Context): string {
  try {
    const found = value(context);
    const text = typeof found === 'object' && found !== null ? toText(found) : String(found);
    return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
  } catch (thrown) {
    return `<${thrown instanceof Error ? thrown.message : String(thrown)}>`;
  }
}
