/** Shows characters that no reader sees, or that a terminal obeys, as escapes. */

/** Controls, bidi, zero-width, and tag characters, variation selectors, line separators, and private use. */
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\t]]/gv;
/** What can be an emoji of several characters, or else is invisible. */
const SEQUENCE = new RegExp(
  String.raw`(\p{Emoji}(?:\p{Emoji_Modifier}|\uFE0F|\u20E3|\u200D\p{Emoji}|[\u{E0020}-\u{E007F}])+)|${INVISIBLE.source}`,
  'gv',
);
/** One of a list of sequences, so that its joiners and selectors can’t hide anything. */
const EMOJI = /^\p{RGI_Emoji}$/v;

/** Escapes as JSON does, so that JSON keeps its value. Tabs and line breaks (`\n`) stay, and so does each emoji. */
export const visible = (text: string): string =>
  text.search(INVISIBLE) < 0
    ? text
    : text.replace(SEQUENCE, (found: string, sequence?: string) => {
        if (sequence === undefined) return escaped(found);
        return EMOJI.test(sequence) ? sequence : sequence.replace(INVISIBLE, escaped);
      });

function escaped(character: string): string {
  let escapes = '';
  for (let at = 0; at < character.length; at++)
    escapes += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escapes;
}
