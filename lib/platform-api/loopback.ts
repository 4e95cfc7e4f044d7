/** Detects URLs that refer to this machine. */

/** @param hostname from a parsed URL: lowercase, with IPv6 addresses in brackets */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}
