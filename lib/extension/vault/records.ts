/** Owns the form of what the vault stores, as it is parsed when read back. */
import * as v from 'valibot';
import { BaseUrl, IdleMinutes, Preset } from '../../platform-api/index.ts';
import { Base64 } from './bytes.ts';
import { DERIVATION } from './passphrase.ts';

export const EnvironmentRecord = v.object({
  id: v.string(),
  name: v.string(),
  preset: Preset,
  baseUrl: BaseUrl,
  namespace: v.string(),
  production: v.boolean(),
  /** Epoch milliseconds; the list is in this order. */
  createdAt: v.number(),
});
export type EnvironmentRecord = v.InferOutput<typeof EnvironmentRecord>;

/** `iv` and `sealed` are AES-GCM's; `baseUrl` is the one that the token was entered for. */
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

/** The passphrase's lock: the data key under it, and what slows wrong ones down. */
export const LockRecord = v.object({
  ...DERIVATION,
  salt: bytes(16, 64),
  iv: bytes(12, 12),
  /** 32 bytes and AES-GCM's tag. */
  wrapped: v.pipe(
    v.instance(ArrayBuffer),
    v.check(({ byteLength }) => byteLength === 48),
  ),
  idleMinutes: IdleMinutes,
  /** Tries since the last right one, those that are being derived with included; the last began at `triedAt` (epoch milliseconds). */
  wrong: v.pipe(v.number(), v.integer(), v.minValue(0)),
  triedAt: v.number(),
});
export type LockRecord = v.InferOutput<typeof LockRecord>;

/** The data key while it is unlocked, in the browser's memory alone. `id` names the key; `lastActive` is the last sign of a person (epoch milliseconds). */
export const HeldKey = v.object({ id: v.string(), key: Base64(32, 32), lastActive: v.number() });
