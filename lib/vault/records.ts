/** Owns the form of what the vault stores, as it is parsed when read back. */
import * as v from 'valibot';
import { BaseUrl, Preset } from '../contract/index.ts';

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
