/** Decides how an app's icon, an untrusted URL, can be used safely. */

export interface IconUse {
  /** URL that an `<img>` can load safely; null to show a letter instead. */
  image: string | null;
  /** URL that a new tab can open safely; if null, `reason` says why. */
  link: string | null;
  reason: string;
}

/** Maximum length of a `data:` icon, in characters. A list can have thousands of icons. */
const SIZE_LIMIT = 64 * 1024;

/**
 * Loads images only over https, which the content security policy requires, and only from the platform's own origin.
 * Any other origin would learn who is viewing the app. New tabs open only http and https URLs.
 */
export function iconUse(icon: string, baseUrl: string): IconUse {
  if (icon.trim() === '') return { image: null, link: null, reason: 'Add an icon to the app' };
  if (/^data:image\/[a-z0-9.+-]+[;,]/i.test(icon)) {
    const fits = icon.length <= SIZE_LIMIT;
    return {
      image: fits ? icon : null,
      link: null,
      reason: fits
        ? 'Browsers don’t open data: URLs in a tab'
        : 'This data: URL is larger than 64 kB and can’t be shown',
    };
  }
  const url = parse(icon);
  if (!url) return { image: null, link: null, reason: 'The icon isn’t a valid URL' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return {
      image: null,
      link: null,
      reason: `Only http and https URLs can be opened, not ${url.protocol.slice(0, 40)}`,
    };
  const isOwn = url.protocol === 'https:' && url.origin === parse(baseUrl)?.origin;
  return { image: isOwn ? url.href : null, link: url.href, reason: '' };
}

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
