/** Which requests belong to the specification. A platform might not offer any others. */
import type { Request } from './exchange.ts';

/** Specification, “Endpoints”. */
const SPECIFIED: readonly RegExp[] = [
  /^GET \/v1\/apps$/,
  /^POST \/v1\/apps\/\d+\/publish$/,
  /^GET \/v1\/apps\/\d+\/analytics\/sessions$/,
  /^GET \/v1\/apps\/\d+\/tasks\/\d+\/compile$/,
];

export function isSpecified({ method, path }: Pick<Request, 'method' | 'path'>): boolean {
  const request = `${method} ${path.split('?')[0]}`;
  return SPECIFIED.some((pattern) => pattern.test(request));
}
