/** A guard that never asks, as on an environment that isn't production. */
import type { Guard } from '../../lib/extension/panel/shared/production-guard.ts';

export const ALWAYS_ALLOWED: Guard = { allow: (_environmentId, _question, work) => work() };
