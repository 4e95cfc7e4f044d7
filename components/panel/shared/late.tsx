/** Views whose modules are loaded when they’re first shown. */
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { NOT_LOADED } from '../../../lib/extension/panel/shared/late-module.ts';
import { Alert } from '../../ui/index.ts';
import { Loading } from './loading.tsx';

/** Shows an error if the module can’t be loaded, for example after an extension update. */
export function late<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => JSX.Element {
  let known: ComponentType<P> | null = null;
  return function Late(props: P): JSX.Element {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
    useEffect(() => {
      if (known) return;
      load().then(
        (View) => {
          known = View;
          setState('loaded');
        },
        () => setState('failed'),
      );
    }, []);
    if (known) {
      const View = known;
      return <View {...props} />;
    }
    return state === 'failed' ? <Alert error={NOT_LOADED} /> : <Loading>Loading…</Loading>;
  };
}
