/** Compares the hosts of URLs. */
import { isLoopback } from '../../../../platform-api/loopback.ts';

/**
 * A hostname's last two labels, or three for suffixes such as `co.uk`. For loopback and IP addresses, the host and
 * port.
 */
export function siteOf({ hostname, host }: URL): string {
  if (isLoopback(hostname) || /^[\d.]+$|^\[/.test(hostname)) return host;
  const labels = hostname.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  return labels.slice(top.length === 2 && second.length <= 3 ? -3 : -2).join('.');
}

/** Also true for hosts of the same brand, such as `googleapis.com` and `google.com`. */
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
