/** Owns the second step before a forced release, and before any release to production. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Popup } from '../../lib/extension/popup/popup.ts';
import { Button } from '../ui/button.tsx';
import { WillHappen } from './will-happen.tsx';

export function ConfirmView({ popup }: { popup: Popup }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  const { environment, type, preview, cannotPublish } = popup;
  const version = preview.value?.current.version ?? null;
  // Not on a button: the key that brought a person here must not be the one that publishes.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section
      class="confirm"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Escape would close the popup.
        event.preventDefault();
        popup.back();
      }}
    >
      <h2 ref={heading} tabIndex={-1}>
        {type.value === 'forced' ? 'Force this update?' : 'Publish to production?'}
      </h2>
      <WillHappen popup={popup} />
      <p>
        In <bdi class="untrusted">{environment.value?.name}</bdi>
        {environment.value?.production ? ', which is production' : ''}.
        {type.value === 'forced' ? ' Nobody can go on in the app without taking it.' : ''} A release cannot be taken
        back: only a newer one can follow.
      </p>
      <blockquote class="untrusted">{popup.changelog.value.trim()}</blockquote>
      <div class="actions">
        <Button onClick={popup.back}>Back</Button>
        <Button
          kind="danger"
          unavailable={cannotPublish.value}
          onClick={popup.publish}
        >{`${type.value === 'forced' ? 'Force' : 'Publish'} ${version === null ? 'the next version' : `version ${version + 1}`}`}</Button>
      </div>
    </section>
  );
}
