/** Shows characters that can’t be seen, or that change how others are shown, as escapes. */

/** The fast path of nearly all texts. */
const PLAIN = /^[\t\n -~]*$/;
/**
 * Emoji and letters may need such a character inside: Persian has non-joiners, and Indian scripts have joiners after a
 * virama. The braille blank has no property that says so.
 */
const PARTS =
  /\p{RGI_Emoji}|(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})|(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d]|\r\n|([[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]--[\t\n]])/gv;

/**
 * Replaces invisible characters: `\u202e`, or `\u{e0041}` above U+FFFF. Line breaks, tabs, and what emoji are composed of
 * stay.
 */
export function showInvisible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(PARTS, (part: string, invisible?: string) =>
    invisible === undefined ? part : escape(invisible),
  );
}

function escape(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
