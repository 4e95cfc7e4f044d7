/** The panel’s state with the real inspector and the real agent, also when the page’s log is full during a run. */
import '../../../../../unit/extension/panel/shell/panel.test.ts';
