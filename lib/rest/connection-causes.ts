/** Says why a connection failed. Only Node says it: browsers hide it from pages and extensions. */

interface Cause {
  /** What follows “Couldn’t connect to api.example.com: ”. */
  what: string;
  hint: string;
}

const PROXY = 'Behind a proxy, set HTTPS_PROXY.';
const UNTRUSTED = {
  what: 'Node doesn’t trust its certificate',
  hint: 'Set NODE_EXTRA_CA_CERTS to a file with the certificates of your organization.',
};
const UNKNOWN_NAME = { what: 'no DNS server knows this name', hint: `Check the host in the base URL. ${PROXY}` };
const CLOSED = {
  what: 'the connection was closed without a response',
  hint: 'Check the scheme and the port of the base URL, and for a firewall between you and the platform.',
};
const LATE = { what: 'it didn’t accept the connection in time', hint: `Check the network and the port. ${PROXY}` };
const NO_ROUTE = { what: 'the network has no route to it', hint: 'Check the network, or connect to the VPN.' };
const NOT_TLS = {
  what: 'the server doesn’t respond with TLS',
  hint: 'Check the port of the base URL. For a platform on this machine, try http.',
};

/** See “bad port” in the Fetch standard. Its error has no code. */
const BAD_PORT = { what: 'fetch never connects to this port', hint: 'Use another port for the platform.' };

/** By the codes of Node, OpenSSL, and undici. */
const CAUSES: Readonly<Record<string, Cause>> = {
  ENOTFOUND: UNKNOWN_NAME,
  ENODATA: UNKNOWN_NAME,
  EAI_AGAIN: { what: 'DNS didn’t respond', hint: `Check the network and its DNS. ${PROXY}` },
  ECONNREFUSED: {
    what: 'nothing responds on this port',
    hint:
      'Check the base URL, and make sure that the platform is running ' +
      '(local platform: npx platform-devtools platform in the project’s folder).',
  },
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  ETIMEDOUT: LATE,
  UND_ERR_CONNECT_TIMEOUT: LATE,
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: {
    what: 'its certificate has expired',
    hint: 'Check the clock of this machine, or ask the platform’s operator for a new certificate.',
  },
  CERT_NOT_YET_VALID: { what: 'its certificate isn’t valid yet', hint: 'Check the clock of this machine.' },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    what: 'its certificate is for another host',
    hint: 'Check the host in the base URL.',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
};

/** Of OpenSSL and of the HTTP parser. */
const GROUPS: readonly (readonly [code: RegExp, Cause])[] = [
  [
    /^(?:ERR_SSL_|ERR_TLS_|CERT_|EPROTO$)/,
    {
      what: 'the secure connection failed',
      hint: 'Check the certificate of the platform, and for a proxy or firewall that changes connections.',
    },
  ],
  [/^HPE_/, { what: 'the response isn’t HTTP', hint: 'Check the scheme and the port of the base URL.' }],
];

/** What Node’s `fetch` rejects with, from the outside in. */
interface Failure {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown;
  hostname?: unknown;
  address?: unknown;
  port?: unknown;
}

/** @param host of the platform, with its port if the URL has one. Null if the cause is unknown, as in browsers */
export function connectionCause(error: unknown, host: string): Cause | null {
  for (const failure of chainOf(error)) {
    const refused = /^Proxy response \((\d+)\)/.exec(String(failure.message));
    if (refused) return refusedByProxy(Number(refused[1]));
    if (failure.message === 'bad port') return BAD_PORT;
    const code = typeof failure.code === 'string' ? failure.code : '';
    const cause = Object.hasOwn(CAUSES, code) ? CAUSES[code] : GROUPS.find(([pattern]) => pattern.test(code))?.[1];
    if (!cause) continue;
    if (isElsewhere(failure, host))
      return {
        what: `the proxy ${String(failure.hostname ?? `${String(failure.address)}:${String(failure.port)}`)} can’t be reached (${code})`,
        hint: 'Check HTTPS_PROXY, and that the proxy is running.',
      };
    return { ...cause, what: `${cause.what} (${code})` };
  }
  return null;
}

function* chainOf(error: unknown): Generator<Failure> {
  for (let depth = 0, each = error; typeof each === 'object' && each !== null && depth < 8; depth++) {
    yield each as Failure;
    const { cause, errors } = each as Failure;
    each = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
}

const refusedByProxy = (status: number): Cause =>
  status === 407
    ? {
        what: 'the proxy requires a login (status 407)',
        hint: 'Set HTTPS_PROXY to a URL with a username and a password, such as http://user:password@proxy:8080.',
      }
    : {
        what: `the proxy refused to connect to it (status ${status})`,
        hint: 'Check HTTPS_PROXY. If the platform needs no proxy, add its host to NO_PROXY.',
      };

/** Whether it wasn’t the platform that Node tried to connect to. */
function isElsewhere({ hostname, address, port }: Failure, host: string): boolean {
  const [, name = host, ownPort] = /^(.*?)(?::(\d+))?$/.exec(host)!;
  if (hostname !== undefined) return hostname !== name;
  return address !== undefined && port !== undefined && !(ownPort ? [ownPort] : ['443', '80']).includes(String(port));
}
