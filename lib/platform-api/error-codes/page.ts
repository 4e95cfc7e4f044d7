/** Error codes of the panel’s connection to the inspected page. */
import type { ErrorText } from './error-text.ts';

export const PAGE_ERRORS: Record<string, ErrorText> = {
  PAGE_UNREACHABLE: {
    meaning: 'DevTools can’t evaluate code in this page.',
    fix: 'Open a platform page, or reload this one.',
  },
  PAGE_BUSY: {
    meaning: 'The page didn’t respond, for example because it is paused or busy.',
    fix: 'Resume the page, or reload it.',
  },
  PAGE_SLOW: { meaning: 'The page didn’t finish loading in time.', fix: 'Reload the page.' },
  PAGE_NONSENSE: { meaning: 'The page’s response can’t be read.', fix: 'Reload the page.' },
  PAGE_EXCEPTION: { meaning: 'The page threw an error during inspection.', fix: 'Reload the page.' },
  PAGE_ANSWER_TOO_LARGE: { meaning: 'The page’s response exceeds the size limit.', fix: 'Expand a smaller value.' },
  PAGE_ANSWER_UNREADABLE: {
    meaning: 'The page’s response isn’t plain data, or not what the specification shows.',
    fix: 'Check in the page’s console what the function returns.',
  },
  PAGE_CALL_FAILED: {
    meaning: 'A function of the page’s API rejected, with the quoted message.',
    fix: 'Check the message, and the page’s console.',
  },
  PAGE_SILENT: {
    meaning: 'A function of the page’s API that only reads didn’t respond in time.',
    fix: 'Reload the page, then try again.',
  },
  PAGE_LEFT: {
    meaning: 'The tab has another page now, or the page was left before it responded.',
    fix: 'Try again on the page that’s open now.',
  },
  BUILT_INS_REPLACED: {
    meaning: 'The page has replaced built-ins of JavaScript that a proof of V3 code needs.',
    fix: 'Open the debug page of the action, which replaces none.',
  },
  PROOF_TOO_SLOW: {
    meaning: 'The page sent no result of a proof in time. The code under proof may have changed built-ins.',
    fix: 'Reload the page, then prove again.',
  },
  PROOF_SUPERSEDED: {
    meaning: 'Another panel has started a proof in the page, which has one at a time.',
    fix: 'Prove again when the other one has ended.',
  },
  PROOF_CANCELED: { meaning: 'The proof of V3 code was canceled.', fix: 'Start it again.' },
  API_MISSING: {
    meaning: 'The page doesn’t have this function of the platform’s JavaScript API.',
    fix: 'Open a debug page or the preview page of the app.',
  },
  APP_PAGE_MISSING: {
    meaning: 'The tab has no page of the app, which a proof needs, and the actions of some platforms.',
    fix: 'Open a debug page or the preview page of the app.',
  },
  NOT_OFFERED: {
    meaning: 'The way in which the panel reaches the app’s actions doesn’t offer this.',
    fix: 'Use a platform that offers it, such as the local platform.',
  },
  CHANGE_IGNORED: {
    meaning: 'The platform saved the action, but reports other values than were sent.',
    fix: 'Restore those fields, or create a new action with them.',
  },
  PAGE_ELSEWHERE: {
    meaning: 'The tab, or the browser of a run, ended up on another page.',
    fix: 'Open the page again.',
  },
  PAGE_NOT_SHOWN: {
    meaning: 'The browser shows a page of its own in the tab, or a page that DevTools can’t inspect.',
    fix: 'Check the tab for the reason, such as a lost connection, then open the page again.',
  },
  PAGE_WITHOUT_TOKEN: {
    meaning: 'The platform refused the debug page. The browser’s own Reload and Back send no token.',
    fix: 'Select Open. If that fails, check the token.',
  },
  LIST_INCOMPLETE: {
    meaning: 'Some items of a list have another form than the specification shows. The others are shown.',
    fix: 'Correct the named fields of the items on the platform.',
  },
  PAGE_OPENING: { meaning: 'The page takes long to open.', fix: 'Wait, or select Cancel.' },
  TAB_STAYED: {
    meaning: 'The tab stayed on its page: the platform sent a download or nothing, or you chose to stay.',
    fix: 'Check the response in the Network panel, then open the page again.',
  },
  PLATFORM_IN_FRAME: {
    meaning: 'The page has no platform runtime, but one of its frames has.',
    fix: 'Open the frame’s URL in the tab.',
  },
  PAGE_FROM_SERVICE_WORKER: {
    meaning: 'A service worker of the page’s origin handled the request, so the page may be without the token.',
    fix: 'Unregister the service worker in DevTools, under Application, then open the page again.',
  },
  PAGE_NOT_READY: {
    meaning: 'The page couldn’t run its action after it was opened or reloaded. Nothing was run.',
    fix: 'Wait until the page has loaded, then run the action.',
  },
  PAGE_REFUSED: {
    meaning: 'The platform accepted the token, but the tab got an error page.',
    fix: 'Open the page again. Check proxies and extensions that change requests.',
  },
  PAGE_SUPERSEDED: { meaning: 'Another page was opened in the tab.', fix: 'Open the page again.' },
  PAGE_CANNOT_ASK: {
    meaning: 'The page can’t show the button that you need to click.',
    fix: 'Open an HTML page of the app.',
  },
  PLATFORM_ABSENT: { meaning: 'The page hasn’t defined the platform’s namespace in time.', fix: 'Open a debug page.' },
  PLATFORM_NOT_AN_OBJECT: {
    meaning: 'The page’s global namespace isn’t an object.',
    fix: 'Check the namespace on the options page.',
  },
  PLATFORM_THROWS: { meaning: 'Reading the page’s global namespace throws an error.', fix: 'Reload the page.' },
  PLATFORM_NO_PIPELINE: { meaning: 'The page has nothing to run.', fix: 'Open a debug page.' },
  PLATFORM_NOT_READY: { meaning: 'The page has no `Pipeline.run()` yet.', fix: 'Reload the page.' },
  PIPELINE_MISSING: { meaning: 'The page has no `ENV.taskPipeline`.', fix: 'Open a debug page.' },
  PIPELINE_INVALID: {
    meaning: '`ENV.taskPipeline` isn’t an array, or JSON of one.',
    fix: 'Check the action’s pipeline.',
  },
  PIPELINE_CYCLIC: { meaning: '`ENV.taskPipeline` contains itself.', fix: 'Remove the reference to the outer steps.' },
  PIPELINE_TOO_LARGE: { meaning: '`ENV.taskPipeline` is too large or too deep to show.', fix: 'Split the pipeline.' },
  PIPELINE_UNREADABLE: {
    meaning: '`ENV.taskPipeline` contains a value that isn’t plain data.',
    fix: 'Use plain JSON data in the pipeline.',
  },
  FUNCTIONS_MISSING: {
    meaning:
      'Our engine doesn’t know all functions of the pipeline, for example because the page registered them first.',
    fix: 'Reload the page with tracing, or run with the platform’s runtime.',
  },
  DEBUGGER_UNAVAILABLE: {
    meaning: 'This page’s runtime can’t pause at steps, or the page has replaced built-in functions that this needs.',
    fix: 'Choose Our engine beside Run, or reload the page with tracing.',
  },
  PAUSE_GONE: {
    meaning: 'The run isn’t paused there anymore, for example because another panel has resumed it.',
    fix: 'Check where the run is now.',
  },
  OUTCOME_IMPOSSIBLE: {
    meaning: 'The step can’t have this outcome. An if step may lack the branch, or the page’s runtime can’t retry.',
    fix: 'Choose another outcome.',
  },
  CONTEXT_NOT_JSON: { meaning: 'The edited context isn’t JSON. Nothing was changed.', fix: 'Correct the text.' },
  CONTEXT_NOT_OBJECT: {
    meaning: 'The edited context isn’t a JSON object. Nothing was changed.',
    fix: 'Enter an object, such as `{}`.',
  },
  CONTEXT_TOO_LARGE: {
    meaning: 'The text of the edited context is too long. Nothing was changed.',
    fix: 'Change the values in the page’s console.',
  },
  CONTEXT_VALUE_LOST: {
    meaning: 'The edit would move or copy a value that can’t be shown as text. Nothing was changed.',
    fix: 'Replace it with a value, or leave it where it was.',
  },
  CONTEXT_READ_ONLY: {
    meaning: 'The page doesn’t allow changes of the value. Nothing was changed.',
    fix: 'Edit an object around it.',
  },
  TEXT_REFUSED: {
    meaning: 'The page didn’t accept a long text, because it’s too long or the page was reloaded.',
    fix: 'Try again with a smaller text.',
  },
  MOCKS_UNAVAILABLE: {
    meaning: 'This page’s runtime would ignore some of the mocks, so nothing was run.',
    fix: 'Choose Our engine beside Run.',
  },
  MOCKS_LIVE: {
    meaning: 'Mocks never apply to live apps, so nothing was run.',
    fix: 'Open the debug page or the preview page, or turn the mocks off.',
  },
  RUN_IN_PROGRESS: {
    meaning: 'The page is already running the pipeline.',
    fix: 'Wait for the run to finish, or stop it.',
  },
  RUN_FAILED: { meaning: 'The run failed.', fix: 'Check the failed step.' },
  RUN_LOST: {
    meaning: 'The page was reloaded or left during the run, so how the run ended is unknown.',
    fix: 'Check what the action did before you run it again.',
  },
  RUN_ELSEWHERE: {
    meaning: 'The run is in progress in another tab.',
    fix: 'Open it in the DevTools of that tab, or when it has ended.',
  },
  RUN_NOT_STOPPED: {
    meaning: 'The page didn’t report the end of a run that was stopped, for example because it replaced the agent.',
    fix: 'Reload the page, which ends the run.',
  },
  RUN_STOPPED: { meaning: 'The run was stopped.', fix: 'Run the pipeline again.' },
  RESULT_UNSENDABLE: { meaning: 'The result can’t be read from the page.', fix: 'Return plain JSON data.' },
  VALUE_CUT: {
    meaning: 'Only part of the value was read from the page because it’s too long.',
    fix: 'Check the value in the page’s console.',
  },
  HANDLE_GONE: { meaning: 'The page no longer has this value.', fix: 'Run the pipeline again.' },
  TEXT_TOO_LARGE: { meaning: 'The string is too long to read.', fix: 'Check the string in the page’s console.' },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The payload exceeds the size limit.',
    fix: 'Send less data, for example an ID to look up.',
  },
  PAYLOAD_NOT_SET: {
    meaning:
      'The page didn’t get the payload in its URL, for example because it’s sandboxed or redirected. Nothing was run.',
    fix: 'Open the page again. Check if the platform redirects it to a URL without its payload.',
  },
  RELOAD_UNSUPPORTED: {
    meaning: 'The browser doesn’t let the extension reload the page.',
    fix: 'Reload the page yourself.',
  },
  SOURCE_UNSUPPORTED: {
    meaning: 'The browser doesn’t let extensions open source files.',
    fix: 'Open the source file in DevTools.',
  },
  SOURCE_UNKNOWN: {
    meaning: 'The location of the function’s source code is unknown.',
    fix: 'Reload the page with DevTools open.',
  },
  SOURCE_NOT_FOUND: { meaning: 'DevTools doesn’t have the source file.', fix: 'Reload the page.' },
  BREAK_UNSUPPORTED: {
    meaning: 'The browser doesn’t let extensions set breakpoints.',
    fix: 'Set a breakpoint in DevTools.',
  },
  FUNCTION_UNKNOWN: { meaning: 'The function can’t be found in the page.', fix: 'Reload the page.' },
  ANALYTICS_ABSENT: { meaning: 'The page has no `Platform.App.Analytics`.', fix: 'Open a preview or live page.' },
  TIME_LIMIT: { meaning: 'The OAuth2 library didn’t finish in time.', fix: 'Try again.' },
  CLICK_IN_PAGE: { meaning: 'The login needs a click on the page.', fix: 'Click the button on the page.' },
  NOT_CLICKED: { meaning: 'The button on the page wasn’t clicked in time.', fix: 'Try again and click the button.' },
  METHOD_MISSING: { meaning: 'The page’s OAuth2 library doesn’t have this method.', fix: 'Update the library.' },
  BODY_INVALID: { meaning: 'The data isn’t valid JSON.', fix: 'Correct the JSON.' },
  PROBE_LOST: { meaning: 'The page navigated or was too busy to check the URL.', fix: 'Try again.' },
  TOKEN_IN_LOG: {
    meaning:
      'The platform issued no one-time token for the page, so the tab’s network log has the environment’s token.',
    fix: 'Remove the token from the log before you share it.',
  },
  ACTION_CHANGED: {
    meaning: 'The action changed since its debug page was loaded, so the page still has the old pipeline.',
    fix: 'Select Reload and run.',
  },
  TRACING_BARE: {
    meaning: 'The page’s runtime reports only the start and end of runs.',
    fix: 'Update the page’s runtime.',
  },
  TRACING_WRAPPED: {
    meaning: 'The page’s runtime doesn’t report loops and conditions, so they aren’t shown.',
    fix: 'Choose Our engine beside Run.',
  },
  TAB_GONE: { meaning: 'The inspected tab is closed.', fix: 'Open the page in another tab.' },
  TAB_REFUSED: { meaning: 'The browser refused to open the page in the tab.', fix: 'Open the page in another tab.' },
  HOST_PERMISSION_MISSING: {
    meaning: 'The extension has no access to the platform’s host.',
    fix: 'Allow access when the browser asks.',
  },
  URL_INVALID: { meaning: 'The URL isn’t complete.', fix: 'Paste the whole URL, starting with https://.' },
  URL_OTHER_HOST: { meaning: 'The URL belongs to another environment.', fix: 'Choose the environment for that host.' },
  URL_NOT_COMPILE: {
    meaning: 'The URL doesn’t point to a platform page.',
    fix: 'Paste the URL of a debug, preview, or live page.',
  },
};
