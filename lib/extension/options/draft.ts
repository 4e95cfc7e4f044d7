/** An environment form's text: initial values, presets, and validation. */
import * as v from 'valibot';
import { DEFAULT_NAMESPACE } from '../../platform-api/index.ts';
import {
  type Environment,
  type Preset,
  BaseUrl,
  EnvironmentInput,
  PRESET_NAMES,
} from '../messaging/model/environment.ts';

export interface Draft {
  id: string | undefined;
  name: string;
  preset: Preset;
  baseUrl: string;
  namespace: string;
  production: boolean;
  token: string;
}
export type Problems = Partial<Record<keyof Draft, string>>;

export const LOCAL_BASE_URL = 'http://localhost:4400';

export function emptyDraft(preset: Preset = 'eu'): Draft {
  const start: Draft = {
    id: undefined,
    name: '',
    preset: 'custom',
    baseUrl: '',
    namespace: DEFAULT_NAMESPACE,
    production: false,
    token: '',
  };
  return withPreset(start, preset);
}

export function draftOf({ id, name, preset, baseUrl, namespace, production }: Environment): Draft {
  return { id, name, preset, baseUrl, namespace, production, token: '' };
}

/** Applies a preset, which fills in its name and (for Local) its base URL unless the user entered others. */
export function withPreset(draft: Draft, preset: Preset): Draft {
  const untouchedName = draft.name === '' || draft.name === PRESET_NAMES[draft.preset];
  const untouchedUrl = draft.baseUrl === '' || draft.baseUrl === LOCAL_BASE_URL;
  return {
    ...draft,
    preset,
    name: untouchedName ? (preset === 'custom' ? '' : PRESET_NAMES[preset]) : draft.name,
    baseUrl: untouchedUrl ? (preset === 'local' ? LOCAL_BASE_URL : '') : draft.baseUrl,
  };
}

/** The input to send, or an error for each invalid field. */
export function readDraft(draft: Draft): { ok: true; input: EnvironmentInput } | { ok: false; problems: Problems } {
  const { token, id, ...rest } = draft;
  const input = { ...rest, ...(id === undefined ? {} : { id }), ...(token.trim() === '' ? {} : { token }) };
  const parsed = v.safeParse(EnvironmentInput, input);
  if (parsed.success) return { ok: true, input: parsed.output };
  const problems: Problems = {};
  for (const issue of parsed.issues) {
    const field = issue.path?.[0]?.key as keyof Draft | undefined;
    if (field) problems[field] ??= issue.message;
  }
  return { ok: false, problems };
}

/** The stored base URL, if its token won't carry over because the draft has a different base URL; otherwise null. */
export function tokenLeftBehind(draft: Draft, stored: Environment | undefined): string | null {
  if (!stored || (stored.maskedToken === null && !stored.problem)) return null;
  const baseUrl = v.safeParse(BaseUrl, draft.baseUrl);
  if (!baseUrl.success) return null;
  return baseUrl.output === stored.baseUrl ? null : stored.baseUrl;
}
