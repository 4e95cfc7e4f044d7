/** Finds the `{{expressions}}` in text: each ends where the grammar of conditions says. */
import { ConditionError } from './errors.ts';
import { lex, lexRegExp, lexTemplate, refuse, type Token } from './condition/syntax/lexer.ts';

/** Text as it is, or the source of an expression. */
export type TemplatePart = string | { readonly source: string };

/** Names after which a slash starts a regular expression. */
const OPERATORS: ReadonlySet<string> = new Set(['in', 'typeof', 'void']);

/**
 * A `{{` that no `}}` follows is text. Takes time in proportion to the text’s length.
 * @throws ConditionError `INVALID_CONDITION` for the first expression without an end, with the column in the expression
 */
export function templateParts(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  const last = text.lastIndexOf('}}');
  let from = 0;
  for (let start = text.indexOf('{{'); start >= 0 && start + 2 <= last; start = text.indexOf('{{', from)) {
    if (start > from) parts.push(text.slice(from, start));
    const rest = text.slice(start + 2);
    const source = rest.slice(0, endOf(rest));
    parts.push({ source });
    from = start + source.length + 4;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** The sources of a text’s expressions. None if one has no end, because then none is evaluated. */
export function expressionsIn(text: string): string[] {
  try {
    return templateParts(text).flatMap((part) => (typeof part === 'string' ? [] : part.source));
  } catch (thrown) {
    if (!(thrown instanceof ConditionError)) throw thrown;
    return [];
  }
}

/** The offset of the `}}` that ends the expression at the start of the text. */
function endOf(text: string): number {
  /** For each open brace: whether it belongs to the `${` of a template literal. */
  const open: boolean[] = [];
  let at = 0;
  /** Whether a value ends here, so that a slash divides it. */
  let isValue = false;
  let isMember = false;
  const readTemplate = (start: number): void => {
    const { end, last } = lexTemplate(text, start);
    at = end;
    isValue = last;
    if (!last) open.push(true);
  };
  for (;;) {
    const token = lex(text, at);
    at = token.end;
    const of = token.kind === 'punctuator' ? token.text : token.kind;
    if (of === 'end') refuse(text, 0, 'This {{ has no closing }}.');
    else if (of === '`') readTemplate(at);
    else if (of === '/' && !isValue) {
      at = lexRegExp(text, token.start).end;
      isValue = true;
    } else if (of === '}') {
      if (open.length === 0 && text[at] === '}') return token.start;
      if (open.length === 0) refuse(text, token.start, 'Expected }}, found }.');
      if (open.pop()) readTemplate(at);
      else isValue = true;
    } else {
      if (of === '{') open.push(false);
      isValue = endsValue(token, isMember);
    }
    isMember = of === '.' || of === '?.';
  }
}

function endsValue({ kind, text }: Token, isMember: boolean): boolean {
  if (kind === 'punctuator') return text === ')' || text === ']';
  return kind !== 'name' || isMember || !OPERATORS.has(text);
}
