/** Decides which IP addresses runs and the proxy can reach: the public internet, and explicitly allowed hosts. */
import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** Special-purpose addresses (IANA registries): not on the internet, or an alias for this machine or its network. */
const PRIVATE = {
  ipv4: listed('ipv4', [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ]),
  // Only 2000::/3 is public, excluding tunnels to IPv4 (Teredo, 6to4) and documentation addresses.
  ipv6: listed('ipv6', ['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']),
};

/** One list per version: in a shared list, an IPv6 range such as ::/3 would also match every IPv4 address. */
function listed(version: 'ipv4' | 'ipv6', nets: string[]): BlockList {
  const list = new BlockList();
  for (const net of nets) list.addSubnet(net.split('/')[0]!, Number(net.split('/')[1]), version);
  return list;
}

export class AddressRefused extends Error {
  override name = 'AddressRefused';
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** Also true for text that isn’t an IP address. */
export function isPrivate(address: string): boolean {
  // The zone (`fe80::1%eth0`) isn’t part of the address.
  const [plain = ''] = address.split('%');
  const version = isIP(plain);
  if (version === 0) return true;
  return version === 6 ? PRIVATE.ipv6.check(plain, 'ipv6') : PRIVATE.ipv4.check(plain, 'ipv4');
}

export function refusal(host: string, address: string): AddressRefused {
  const named = host === address ? host : `${host} (${address})`;
  return new AddressRefused(
    `Couldn’t reach ${named}: private IP addresses are blocked for runs and pages.`,
    `Start the platform with --allow-private ${host} to allow it.`,
  );
}

type LookupCallback = (error: Error | null, address?: string | LookupAddress[], family?: number) => void;

/**
 * A DNS lookup that refuses private addresses. The connection uses the address that was checked, so changing DNS
 * records afterward (DNS rebinding) has no effect.
 */
export function guardedLookup(
  host: string,
  options: LookupOptions,
  callback: LookupCallback,
  lookup = dnsLookup,
): void {
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return callback(error);
    const bad = found.find(({ address }) => isPrivate(address));
    if (bad) return callback(refusal(host, bad.address));
    if (options.all) callback(null, found);
    else callback(null, found[0]!.address, found[0]!.family);
  });
}
