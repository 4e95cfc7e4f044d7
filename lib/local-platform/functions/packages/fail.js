/**
 * Fail: ends the run as failed.
 *
 * Settings
 *   message  the error message; {{expressions}} are filled in from the context
 */
Platform.Functions.register('com.platform.function.fail', function (settings, context) {
  if (typeof settings.message !== 'string') {
    throw new TypeError('fail: the setting "message" must be a string.');
  }
  throw new Error(Platform.Functions.text(Platform.Functions.fill(settings.message, context)));
});
