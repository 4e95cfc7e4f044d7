/** Compiles and writes the text of logpoints. */
import { compileCondition, type Condition, type Context } from '../../pipeline/index.ts';

/** Maximum characters of one value in a text. */
const MAX_VALUE = 1_000;

/** Returns the text for a context. An expression that fails shows its error. */
export type LogText = (context: Context) => string;

/** @throws ConditionError `INVALID_CONDITION` for the first expression that isn't valid */
export function compileLogText(template: string): LogText {
  const parts = partsOf(template).map(({ text, expression }) => ({
    text,
    value: expression === null ? null : compileCondition(expression),
  }));
  return (context) => parts.map(({ text, value }) => text + (value ? textOf(value, context) : '')).join('');
}

/** The expressions in a text. */
export const expressionsIn = (template: string): string[] =>
  partsOf(template).flatMap(({ expression }) => expression ?? []);

function partsOf(template: string): { text: string; expression: string | null }[] {
  const parts: { text: string; expression: string | null }[] = [];
  let from = 0;
  for (;;) {
    const start = template.indexOf('{{', from);
    const end = start < 0 ? -1 : template.indexOf('}}', start);
    if (end < 0) break;
    parts.push({ text: template.slice(from, start), expression: template.slice(start + 2, end) });
    from = end + 2;
  }
  return [...parts, { text: template.slice(from), expression: null }];
}

function textOf(value: Condition, context: Context): string {
  try {
    const found = value(context);
    const text = typeof found === 'string' ? found : (JSON.stringify(found) ?? String(found));
    return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
  } catch (thrown) {
    return `<${thrown instanceof Error ? thrown.message : String(thrown)}>`;
  }
}
