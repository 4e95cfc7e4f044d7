/** Owns which hosts belong together, as far as their names tell. */
import { isLoopback } from '../../../messaging/model/environment.ts';

/** What one owner has: the last two labels, three under such as `co.uk`; of this machine and of plain addresses the port counts too. */
export function siteOf({ hostname, host }: URL): string {
  if (isLoopback(hostname) || /^[\d.]+$|^\[/.test(hostname)) return host;
  const labels = hostname.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  return labels.slice(top.length === 2 && second.length <= 3 ? -3 : -2).join('.');
}

/** `googleapis.com` and `google.com`: services keep several names with one brand in them. */
export function areRelated(one: URL, other: URL): boolean {
  const [a, b] = [siteOf(one), siteOf(other)];
  if (a === b) return true;
  const [short, long] = [a.split('.')[0]!, b.split('.')[0]!].sort((x, y) => x.length - y.length) as [string, string];
  return (
    !isLoopback(one.hostname) &&
    !isLoopback(other.hostname) &&
    /^[a-z][a-z-]{3,}$/.test(short) &&
    long.startsWith(short)
  );
}
