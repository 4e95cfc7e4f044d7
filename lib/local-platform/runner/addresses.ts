/** Owns which addresses a run's requests may go to: the public internet, and what the person allowed by name. */
import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** Not reachable from the internet, or reaching this machine and its network by another way. */
const PRIVATE = new BlockList();
for (const [net, prefix] of [['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12], ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.168.0.0', 16], ['198.18.0.0', 15], ['198.51.100.0', 24], ['203.0.113.0', 24], ['224.0.0.0', 4], ['240.0.0.0', 4]] as const) {
  PRIVATE.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [['::', 96], ['64:ff9b::', 96], ['64:ff9b:1::', 48], ['100::', 64], ['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['fc00::', 7], ['fe80::', 10], ['fec0::', 10], ['ff00::', 8]] as const) {
  PRIVATE.addSubnet(net, prefix, 'ipv6');
}

export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

export const isPrivate = (address: string): boolean => PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

export function refusal(host: string, address: string): AddressRefused {
  const named = host === address ? host : `${host} (${address})`;
  return new AddressRefused(`${named} is a private address, which runs and pages may not reach; start the platform with --allow-private ${host} to allow it.`);
}

type LookupCallback = (error: Error | null, address?: string | LookupAddress[], family?: number) => void;

/**
 * A lookup that answers what may be connected to alone: the connection goes to the very address that was checked, so that a name
 * whose answers change (DNS rebinding) gains nothing.
 */
export function guardedLookup(host: string, options: LookupOptions, callback: LookupCallback, lookup = dnsLookup): void {
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return callback(error);
    const bad = found.find(({ address }) => isPrivate(address));
    if (bad) return callback(refusal(host, bad.address));
    if (options.all) callback(null, found);
    else callback(null, found[0]!.address, found[0]!.family);
  });
}
