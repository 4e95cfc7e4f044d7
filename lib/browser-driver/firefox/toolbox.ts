/** Opens the extension’s panel in Firefox’s toolbox, and runs functions in its document. */
import { waitFor } from '../wait-for.ts';
import { evaluateIn } from './document.ts';
import type { Firefox } from './marionette.ts';

export interface ToolboxPanel {
  /** Runs `script`, a function body that returns JSON, with the panel’s document as `document`. */
  evaluate<T>(script: string, ...args: unknown[]): Promise<T>;
}

/** Closes the toolbox, if any: one that stays open keeps what its panel knows about the previous page. */
export async function closeToolbox(firefox: Firefox): Promise<void> {
  await firefox.chrome('await window.platformToolbox?.destroy(); window.platformToolbox = null;');
}

/** Beside the page, or in a window of its own. */
export type ToolboxHost = 'right' | 'window';

/** Opens the toolbox on the current tab and shows the only panel that an extension added. */
export async function openToolboxPanel(firefox: Firefox, host: ToolboxHost = 'right'): Promise<ToolboxPanel> {
  await firefox.chrome(
    `
    const { require } = ChromeUtils.importESModule('resource://devtools/shared/loader/Loader.sys.mjs');
    const { gDevTools } = require('devtools/client/framework/devtools');
    window.platformToolbox = await gDevTools.showToolboxForTab(gBrowser.selectedTab, { hostType: arguments[0] });
  `,
    host,
  );
  const id = await waitFor('the panel among the toolbox’s tools', () =>
    firefox.chrome<string | null>('return [...window.platformToolbox.additionalToolDefinitions.keys()][0] ?? null;'),
  );
  await firefox.chrome('await window.platformToolbox.selectTool(arguments[0]);', id);
  const find = `return window.platformToolbox.doc.querySelector('#toolbox-panel-iframe-' + CSS.escape(${JSON.stringify(id)})).contentDocument.querySelector('browser');`;
  const panel: ToolboxPanel = { evaluate: (script, ...args) => evaluateIn(firefox, find, script, args) };
  await waitFor('the document of the panel', () =>
    panel.evaluate<boolean>(
      "return document.readyState === 'complete' && document.location.pathname === '/panel.html';",
    ),
  );
  return panel;
}

/** Gives a toolbox in a window of its own an inner size. */
export async function resizeToolbox(firefox: Firefox, width: number, height: number): Promise<void> {
  await waitFor('the size of the toolbox', () => firefox.chrome<boolean>(RESIZE, width, height));
}

/** A picture of a toolbox in a window of its own, as PNG. */
export async function shootToolbox(firefox: Firefox): Promise<Buffer> {
  return Buffer.from(await firefox.chrome<string>(SHOOT), 'base64');
}

/** Returns whether the window has the size. */
const RESIZE = `
  const [width, height] = arguments;
  const { topWindow } = window.platformToolbox;
  topWindow.resizeBy(width - topWindow.innerWidth, height - topWindow.innerHeight);
  return topWindow.innerWidth === width && topWindow.innerHeight === height;`;

const SHOOT = `
  const { topWindow } = window.platformToolbox;
  const { innerWidth: width, innerHeight: height } = topWindow;
  await new Promise((resolve) => topWindow.requestAnimationFrame(() => topWindow.requestAnimationFrame(resolve)));
  const rectangle = new DOMRect(0, 0, width, height);
  const bitmap = await topWindow.browsingContext.currentWindowGlobal.drawSnapshot(rectangle, 1, 'white');
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d').drawImage(bitmap, 0, 0);
  const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''));`;
