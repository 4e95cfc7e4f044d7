/** Schemas of the vault’s stored records. */
import * as v from 'valibot';
import { Base64 } from './bytes.ts';
import { DERIVATION } from './passphrase.ts';
import { StoredBaseUrl, StoredPageUrl } from '../../platform-api/base-url.ts';
import { Preset } from '../messaging/model/environment.ts';
import { IdleMinutes } from '../messaging/model/lock.ts';

export const EnvironmentRecord = v.object({
  id: v.string(),
  name: v.string(),
  preset: Preset,
  baseUrl: StoredBaseUrl,
  namespace: v.string(),
  production: v.boolean(),
  pageUrls: v.optional(v.array(StoredPageUrl)),
  /** Epoch milliseconds. Environments are listed in this order. */
  createdAt: v.number(),
});
export type EnvironmentRecord = v.InferOutput<typeof EnvironmentRecord>;

/** A token for one base URL, encrypted with AES-GCM. */
export const TokenRecord = v.object({
  environmentId: v.string(),
  baseUrl: v.string(),
  iv: v.instance(Uint8Array<ArrayBuffer>),
  sealed: v.instance(ArrayBuffer),
});
export type TokenRecord = v.InferOutput<typeof TokenRecord>;

const bytes = (least: number, most: number) =>
  v.pipe(
    v.instance(Uint8Array<ArrayBuffer>),
    v.check(({ length }) => length >= least && length <= most),
  );

/** The data key, wrapped with the passphrase, and the number of wrong attempts. */
export const LockRecord = v.object({
  ...DERIVATION,
  salt: bytes(16, 64),
  iv: bytes(12, 12),
  /** 32 bytes plus the AES-GCM tag. */
  wrapped: v.pipe(
    v.instance(ArrayBuffer),
    v.check(({ byteLength }) => byteLength === 48),
  ),
  idleMinutes: IdleMinutes,
  /**
   * Wrong attempts since the last correct one, including those in progress. The last attempt began at `triedAt` (epoch
   * milliseconds).
   */
  wrong: v.pipe(v.number(), v.integer(), v.minValue(0)),
  triedAt: v.number(),
});
export type LockRecord = v.InferOutput<typeof LockRecord>;

/**
 * The unlocked data key in the browser’s session memory. `lastActive` is the last user activity in epoch milliseconds.
 */
export const UnlockedKey = v.object({ id: v.string(), key: Base64(32, 32), lastActive: v.number() });
