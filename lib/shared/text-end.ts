/** Removes what a text ends with. A pattern such as `/\/+$/` takes quadratic time. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
