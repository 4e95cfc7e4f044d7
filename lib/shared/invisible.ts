/** Shows characters that no reader sees, that change how others are shown, or that a terminal obeys, as escapes. */

/** The fast path of nearly all texts. */
const PLAIN = /^[\t\n -~]*$/;
/**
 * Emoji and letters may need such a character inside: Persian has non-joiners, and Indian scripts have joiners after a
 * virama. The last part, its only group, is what can’t be seen. The braille blank has no property that says so.
 */
export const PARTS = new RegExp(
  [
    String.raw`\p{ExtPict}[\p{EMod}\ufe0e\ufe0f]?(?:\u200d\p{ExtPict}[\p{EMod}\ufe0e\ufe0f]?)*`,
    String.raw`[\d#*]\ufe0f\u20e3`,
    String.raw`(?<=\u{1f3f4})\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`,
    String.raw`(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})`,
    String.raw`(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d]`,
    String.raw`\r\n`,
    String.raw`([[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]--[\t\n]])`,
  ].join('|'),
  'gv',
);

/** Escapes as JSON does, so that JSON keeps its value. Line breaks, tabs, and what emoji are composed of stay. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(PARTS, (part: string, invisible?: string) =>
    invisible === undefined ? part : escaped(invisible),
  );
}

function escaped(character: string): string {
  let escapes = '';
  for (let at = 0; at < character.length; at++)
    escapes += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escapes;
}
