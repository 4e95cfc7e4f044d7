/** Masks credentials in text by what is written before them: `password=…`, `Authorization: …`, `https://user:…@`. */
import { MASK } from './known-secrets.ts';
import { maskText, type TextRules } from './secret-text.ts';

/** What a text with a credential contains, unless its name is encoded. Nearly all texts don't, and looking closer takes longer. */
const HINT =
  /token|secret|pass|pwd|auth|cookie|bearer|basic|jwt|otp|key|sig|sess|assert|cred|verif|code|ey[a-z]|%[4-7]|\\(?:u00|x)[4-7]|&#|:\/\/[^\s/?#"'<>]*@/i;
const USER = /(:\/\/)[^\s/?#"'<>]*@/g;
/** A value that is put in when the pipeline runs, such as `Bearer {{login.token}}`. */
const TEMPLATE = /^(?:\w+ )?\{\{/;

const RULES: TextRules = { isStrict: false, hasLogins: false, mask: () => MASK };
/** For text that can have templates. */
const TEMPLATE_RULES: TextRules = { ...RULES, mask: (secret) => (TEMPLATE.test(secret) ? secret : MASK) };

/**
 * Masks credentials, and whatever looks like a token, for when it isn’t known what is one. The same token is masked in the
 * same way, so that names stay different.
 */
export class TokenLike {
  readonly #known = new Map<string, string>();
  readonly #rules: TextRules = { ...RULES, isStrict: true, mask: (secret) => this.#maskOf(secret) };

  mask(text: string): string {
    return maskText(text, this.#rules);
  }

  #maskOf(secret: string): string {
    const known = this.#known.get(secret) ?? `${MASK}${this.#known.size + 1}`;
    this.#known.set(secret, known);
    return known;
  }
}

/** Masking a masked text again changes nothing. */
export function maskCredentials(text: string): string {
  if (!HINT.test(text)) return text;
  const rules = text.includes('}}') ? TEMPLATE_RULES : RULES;
  return maskText(text.includes('@') ? text.replace(USER, `$1${MASK}@`) : text, rules);
}
