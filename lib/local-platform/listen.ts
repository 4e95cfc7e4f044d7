/** Opens the port of a server, so that `localhost` leads to it and to no other program. */
import { once } from 'node:events';
import type { Server } from 'node:http';

/** Servers on one port. */
export interface Listening {
  servers: Server[];
  port: number;
}

/** Why a port couldn’t be opened, and at which IP address. */
export class ListenError extends Error {
  readonly code: string | undefined;
  readonly host: string;
  constructor(cause: NodeJS.ErrnoException, host: string) {
    super(cause.message, { cause });
    this.code = cause.code;
    this.host = host;
  }
}

/** The addresses of `localhost`. Browsers and other clients differ in which one they try first. */
const LOOPBACK = ['127.0.0.1', '::1'];
/** The hosts whose URL says `localhost`, and where to listen for them. `::` includes IPv4. */
const ADDRESSES: Record<string, readonly string[]> = {
  localhost: LOOPBACK,
  '127.0.0.1': LOOPBACK,
  '0.0.0.0': ['0.0.0.0', '::1'],
  '::': ['::'],
};
/** A system without IPv6 has nothing at `::1`. */
const NO_ADDRESS: ReadonlySet<string | undefined> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);
/** How many free ports of one address are tried at the other one. */
const ATTEMPTS = 20;

/** Whether the URL of a platform that listens on this host says `localhost`. */
export const isLocalhost = (host: string): boolean => Object.hasOwn(ADDRESSES, host);

/**
 * Listens on the host, and on both addresses of `localhost` if that is what its URL says.
 * @param create makes one of the servers, which respond alike
 * @param port 0 uses one that is free
 * @throws ListenError
 */
export async function listen(create: () => Server, port: number, host: string): Promise<Listening> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listenOnAll(create, port, ADDRESSES[host] ?? [host]);
    } catch (error) {
      const isTaken = error instanceof ListenError && error.code === 'EADDRINUSE';
      if (port !== 0 || !isTaken || attempt === ATTEMPTS) throw error;
    }
  }
}

async function listenOnAll(create: () => Server, wanted: number, addresses: readonly string[]): Promise<Listening> {
  const servers: Server[] = [];
  let port = wanted;
  for (const address of addresses) {
    const server = create().listen(port, address);
    try {
      await once(server, 'listening');
    } catch (error) {
      if (servers.length > 0 && NO_ADDRESS.has((error as NodeJS.ErrnoException).code)) continue;
      await closeAll(servers);
      throw new ListenError(error as NodeJS.ErrnoException, address);
    }
    servers.push(server);
    ({ port } = server.address() as { port: number });
  }
  return { servers, port };
}

/** Pending requests end first, but are cut off after `timeout` milliseconds. */
export async function closeAll(servers: readonly Server[], timeout = 0): Promise<void> {
  const closed = servers.map((server) => once(server, 'close'));
  const cut = (): void => servers.forEach((server) => server.closeAllConnections());
  for (const server of servers) {
    server.close();
    server.closeIdleConnections();
  }
  if (timeout === 0) cut();
  const timer = setTimeout(cut, timeout);
  await Promise.all(closed);
  clearTimeout(timer);
}
