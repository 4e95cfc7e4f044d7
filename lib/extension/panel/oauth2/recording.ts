/** Rates how much of the page’s logins and calls is recorded, on one scale. */
import type { Tone } from './entry-text.ts';
import type { OAuth2Page } from './types.ts';

export interface Recording {
  level: 'complete' | 'good' | 'partial' | 'none';
  tone: Tone;
  text: string;
}

const LEVELS: Record<Recording['level'], Recording> = {
  complete: { level: 'complete', tone: 'success', text: 'The library reports its steps.' },
  good: {
    level: 'good',
    tone: 'plain',
    text: 'Calls, events, popups, and requests are recorded since the page’s first script.',
  },
  partial: {
    level: 'partial',
    tone: 'warning',
    text: 'The first scripts ran before recording started. Reload the page to record from its first script.',
  },
  none: { level: 'none', tone: 'plain', text: 'Recording starts when the page loads an OAuth2 library.' },
};

export function recordingOf({ library, tracing }: Pick<OAuth2Page, 'library' | 'tracing'>): Recording {
  if (library !== 'ready') return LEVELS.none;
  return LEVELS[tracing === 'observed' ? 'complete' : tracing === 'wrapped' ? 'good' : 'partial'];
}
