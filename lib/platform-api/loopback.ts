/** Recognizes this machine in URLs. */

/** @param hostname of a parsed URL: lowercase, and IPv6 in brackets */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}
