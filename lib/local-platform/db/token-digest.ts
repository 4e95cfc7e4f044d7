/** Computes the digest of a token, which the database stores instead of the token. */
import { createHash } from 'node:crypto';

export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');
