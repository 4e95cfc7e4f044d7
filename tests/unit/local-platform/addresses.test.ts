import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AddressRefused, guardedLookup } from '../../../lib/local-platform/runner/addresses.ts';

/** A resolver with a different result each time, and its lookups. */
function resolver(...responses: string[][]) {
  const lookups: string[] = [];
  const lookup = (
    host: string,
    _: object,
    callback: (error: null, found: { address: string; family: number }[]) => void,
  ): void => {
    lookups.push(host);
    callback(
      null,
      (responses[lookups.length - 1] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return {
    lookups,
    guarded: ((host, options, callback) =>
      guardedLookup(host, options, callback as never, lookup as never)) as LookupFunction,
  };
}

/** Why a connection to `host` failed. */
const failure = async (lookup: LookupFunction, port: number): Promise<unknown> => {
  const socket = connect({ host: 'rebound.example', port, lookup });
  const [error] = (await once(socket, 'error')) as [unknown];
  return error;
};

describe('A name that resolves to changing addresses (DNS rebinding)', () => {
  it('is refused as soon as one of its addresses is private, each time it is resolved', async () => {
    let connections = 0;
    const server = createServer(() => (connections += 1)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { lookups, guarded } = resolver(
      ['127.0.0.1'],
      ['93.184.216.34', '127.0.0.1'],
      ['93.184.216.34', '::ffff:127.0.0.1'],
    );
    for (let n = 0; n < 3; n += 1) expect(await failure(guarded, port)).toBeInstanceOf(AddressRefused);
    expect({ lookupCount: lookups.length, connections }).toEqual({ lookupCount: 3, connections: 0 });
    server.close();
  });

  it.each<[object, unknown[]]>([
    [{ all: true }, [null, [{ address: '93.184.216.34', family: 4 }]]],
    [{}, [null, '93.184.216.34', 4]],
  ])('connects to the address that was checked, and checks the next ones again: %j', (options, expected) => {
    const { lookups, guarded } = resolver(['93.184.216.34'], ['127.0.0.1']);
    const responses: unknown[][] = [];
    const note = (...args: unknown[]): void => void responses.push(args);
    guarded('rebound.example', options, note);
    guarded('rebound.example', options, note);
    expect(responses).toEqual([expected, [expect.any(AddressRefused)]]);
    expect(lookups.length).toBe(2);
  });
});
