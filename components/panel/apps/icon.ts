/** Decides what is safe to do with an app's icon, which is an untrusted URL. */

export interface IconUse {
  /** What an `<img>` may load; null to show a letter instead. */
  image: string | null;
  /** What a new tab may open; null when `reason` says why nothing. */
  link: string | null;
  reason: string;
}

/** Characters of a `data:` icon: a list may have thousands. */
const SIZE_LIMIT = 64 * 1024;

/**
 * Images are loaded only from the platform's own origin over https, which the content security policy allows, too.
 * Any other origin would learn who looks at the app. A new tab opens http and https only.
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
