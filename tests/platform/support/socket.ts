/** A raw connection to a server, without an HTTP client. */
import { connect, type Socket } from 'node:net';

/** Everything that the server sends until it closes the connection; each of `pieces` is written when the previous one was flushed. */
export function talk(address: string, ...pieces: (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address);
    const chunks: Buffer[] = [];
    const socket: Socket = connect(Number(port), hostname, () => write(0));
    const write = (index: number): void => {
      if (index < pieces.length) socket.write(pieces[index]!, () => write(index + 1));
    };
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? undefined : reject(error),
    );
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}

/** The single response in what a server sent. */
export function responseIn(text: string): { status: number; headers: Headers; body: string } {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers: new Headers(
      lines.map((line): [string, string] => [
        line.slice(0, line.indexOf(':')),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    ),
    body: rest.join('\r\n\r\n'),
  };
}
