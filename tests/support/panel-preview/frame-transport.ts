/** Implements the inspector’s transport over a same-origin iframe, in place of `devtools.inspectedWindow`. */
import { createEvalTransport, type InspectorTransport } from '../../../lib/extension/inspector/index.ts';

export function createFrameTransport(frame: HTMLIFrameElement): InspectorTransport {
  const evaluate = (expression: string): unknown => {
    const { eval: evaluateIn } = frame.contentWindow as Window & typeof globalThis;
    return evaluateIn(expression);
  };
  const transport = createEvalTransport({
    inspectedWindow: {
      eval: async (expression) => evaluate(expression),
      // The script runs after those of the page, not before: an iframe has no event in between.
      reload({ injectedScript }) {
        if (injectedScript) frame.addEventListener('load', () => evaluate(injectedScript), { once: true });
        frame.contentWindow?.location.reload();
      },
    },
    network: {
      onNavigated: {
        addListener: (listener) => frame.addEventListener('load', listener),
        removeListener: (listener) => frame.removeEventListener('load', listener),
      },
    },
    panels: {
      openResource(url: string, _line: number, done?: () => void) {
        open(url);
        done?.();
      },
    },
  });
  // Here, the panel itself calls each evaluation.
  return { ...transport, ownsStack: false };
}
