/** Cleans URLs that people paste from chats, emails, and documents. */

/** Zero-width characters, soft hyphens, and marks of the text’s direction. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const AT_ENDS =
  /^[\s\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+|[\s\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+$/g;
const AROUND: Record<string, string> = {
  '<': '>',
  '(': ')',
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '‘': '’',
  '«': '»',
};

/** Removes quotes and brackets around a URL, and characters that can’t be seen. A query keeps those within it. */
export function cleanUrl(pasted: string): string {
  let text = pasted.replace(AT_ENDS, '');
  while (text.length > 1 && AROUND[text[0]!] === text.at(-1)) text = text.slice(1, -1).replace(AT_ENDS, '');
  const query = text.indexOf('?');
  return query < 0 ? text.replace(INVISIBLE, '') : text.slice(0, query).replace(INVISIBLE, '') + text.slice(query);
}
