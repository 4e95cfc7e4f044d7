/** A platform with https, whose certificate no Node trusts, and a proxy that reaches it. */
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** For platform.example and localhost, until 2120. Its key protects nothing. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBgjCCASegAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBBwbGF0Zm9y
bS5leGFtcGxlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAbMRkw
FwYDVQQDDBBwbGF0Zm9ybS5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEEiOVsDtmP9hjB3sv9tASOVwdxY+QZ7UONML3rL7QFLfapepGn5aXYuHymdSU
3YTUPLaQ4xDzWCB7ORdoe7Z1FaNaMFgwJgYDVR0RBB8wHYIQcGxhdGZvcm0uZXhh
bXBsZYIJbG9jYWxob3N0MA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFDlEf9+v
fOE4iUPebh8PuE+YvZalMAoGCCqGSM49BAMCA0kAMEYCIQD5ghXL1zIVTm2kDFXU
7hHlSrSADf5vxPYDgLT6sivCsQIhALBjvlcV4nTRsGfuM4lFuRfVgYYyNPE6eEK7
yIwoMjde
-----END CERTIFICATE-----
`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8Xw+0vURMjvCWJx6
OSk3jKHn1rUushseVr9LZu3c4n6hRANCAAQSI5WwO2Y/2GMHey/20BI5XB3Fj5Bn
tQ40wvesvtAUt9ql6kaflpdi4fKZ1JTdhNQ8tpDjEPNYIHs5F2h7tnUV
-----END PRIVATE KEY-----
`;

/** Listens until the test ends. */
export async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Resolves with its port. It has no apps. @param tokens gets the token of each request */
export const startTlsPlatform = (tokens: unknown[] = []): Promise<number> =>
  portOf(
    createHttpsServer({ cert: CERTIFICATE, key: KEY }, ({ headers }, response) => {
      tokens.push(headers['auth-token']);
      response.setHeader('Content-Type', 'application/json').end('{"apps":[]}');
    }),
  );

export interface TestProxy {
  port: number;
  /** All that it got in clear. */
  seen: string[];
}

/** @param status other than 200 refuses. Each tunnel leads to this machine, whatever its host is */
export async function startProxy(status = 200): Promise<TestProxy> {
  const seen: string[] = [];
  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    client.once('data', (head) => {
      seen.push(head.toString());
      if (status !== 200) return client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
      const target = connect(Number(/^CONNECT [^:]+:(\d+)/.exec(head.toString())?.[1]), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.pipe(target).pipe(client);
      });
      target.on('error', () => client.destroy());
      client.on('close', () => target.destroy());
    });
  });
  return { port: await portOf(server), seen };
}
