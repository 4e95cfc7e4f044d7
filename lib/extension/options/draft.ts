/** An environment form's text: initial values, presets, and validation. */
import * as v from 'valibot';
import { BaseUrl } from '../../platform-api/base-url.ts';
import { DEFAULT_NAMESPACE } from '../../platform-api/index.ts';
import { isLoopback } from '../../platform-api/loopback.ts';
import { type Environment, type Preset, EnvironmentInput, PRESET_NAMES } from '../messaging/model/environment.ts';

export interface Draft {
  id: string | undefined;
  name: string;
  preset: Preset;
  baseUrl: string;
  namespace: string;
  production: boolean;
  /** Separated by spaces. */
  pageUrls: string;
  token: string;
}
export type Problems = Partial<Record<keyof Draft, string>>;

const LOCAL_PORT = 4400;
/** Where the local platform listens. The first is the one that it prints. */
export const localBaseUrls = (port: number): string[] => [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
const DEFAULT_BASE_URLS = localBaseUrls(LOCAL_PORT);

/** The port of a base URL on this computer; by default, the local platform’s. */
export function portOf(baseUrl: string): number {
  const url = v.safeParse(BaseUrl, baseUrl);
  const { protocol = '', hostname = '', port = '' } = url.success ? new URL(url.output) : {};
  return protocol === 'http:' && isLoopback(hostname) ? Number(port || 80) : LOCAL_PORT;
}

export function emptyDraft(preset: Preset = 'eu'): Draft {
  const start: Draft = {
    id: undefined,
    name: '',
    preset: 'custom',
    baseUrl: '',
    namespace: DEFAULT_NAMESPACE,
    production: false,
    pageUrls: '',
    token: '',
  };
  return withPreset(start, preset);
}

export function draftOf({ id, name, preset, baseUrl, namespace, production, pageUrls }: Environment): Draft {
  return { id, name, preset, baseUrl, namespace, production, pageUrls: pageUrls?.join(' ') ?? '', token: '' };
}

/** Applies a preset, which fills in its name and (for Local) its base URL unless the user entered others. */
export function withPreset(draft: Draft, preset: Preset): Draft {
  const untouchedName = draft.name === '' || draft.name === PRESET_NAMES[draft.preset];
  const untouchedUrl = draft.baseUrl === '' || DEFAULT_BASE_URLS.includes(draft.baseUrl);
  return {
    ...draft,
    preset,
    name: untouchedName ? (preset === 'custom' ? '' : PRESET_NAMES[preset]) : draft.name,
    baseUrl: untouchedUrl ? (preset === 'local' ? DEFAULT_BASE_URLS[0]! : '') : draft.baseUrl,
  };
}

/** The input to send, or an error for each invalid field. */
export function readDraft(draft: Draft): { ok: true; input: EnvironmentInput } | { ok: false; problems: Problems } {
  const { token, id, pageUrls, ...rest } = draft;
  const input = {
    ...rest,
    pageUrls: pageUrls.split(/\s+/).filter(Boolean),
    ...(id === undefined ? {} : { id }),
    ...(token.trim() === '' ? {} : { token }),
  };
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
