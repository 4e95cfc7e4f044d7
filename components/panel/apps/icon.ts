/** Owns what may be done with an app's icon, which is an address that anybody may have written. */

export interface IconUse {
  /** What an `<img>` may load; null for a tile with a letter. */
  image: string | null;
  /** What a new tab may open; null when `why` says that nothing. */
  link: string | null;
  why: string;
}

/** Characters of a `data:` icon; a list may have thousands. */
const LARGEST = 64 * 1024;

/**
 * An image is loaded from the platform's own address over https alone, which the extension's content security policy allows too; from
 * anywhere else it would tell a stranger who looks at the app. A new tab opens http and https only.
 */
export function iconUse(icon: string, baseUrl: string): IconUse {
  if (icon.trim() === '') return { image: null, link: null, why: 'The app has no icon.' };
  if (/^data:image\/[a-z0-9.+-]+[;,]/i.test(icon)) {
    const fits = icon.length <= LARGEST;
    return {
      image: fits ? icon : null,
      link: null,
      why: fits
        ? 'The icon is a data: URL, shown here already; browsers open none in a tab.'
        : 'The icon is a data: URL of more than 64 kB: it is not shown, and browsers open none in a tab.',
    };
  }
  const url = parse(icon);
  if (!url) return { image: null, link: null, why: 'The icon is no address that can be opened.' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { image: null, link: null, why: `Only http and https are opened; this is ${url.protocol.slice(0, 40)}` };
  const isOwn = url.protocol === 'https:' && url.origin === parse(baseUrl)?.origin;
  return { image: isOwn ? url.href : null, link: url.href, why: '' };
}

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
