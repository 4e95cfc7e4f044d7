/** An app's icon: its image if that's safe to load, otherwise its first letter. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { iconUse } from './icon.ts';

export function AppIcon({ name, icon, baseUrl }: { name: string; icon: string | null; baseUrl: string }): JSX.Element {
  const { image } = iconUse(icon ?? '', baseUrl);
  const [broken, setBroken] = useState<string | null>(null);
  if (image === null || image === broken)
    return (
      <span class="app-icon letter" aria-hidden="true">
        {firstLetter(name)}
      </span>
    );
  return (
    <img
      class="app-icon"
      src={image}
      alt=""
      width="14"
      height="14"
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
      onError={() => setBroken(image)}
    />
  );
}

/** The name's first letter or digit. */
function firstLetter(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name.slice(0, 200))?.[0].toUpperCase() ?? '·';
}
