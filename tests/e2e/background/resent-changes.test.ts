/** Changes whose connection ends before the response, which a browser might send again. */
import { testCuts } from '../../support/chromium-cuts.ts';

testCuts(
  'in Chromium, a change whose connection ends before the response reaches the platform once, and its outcome is unknown',
  1,
);
