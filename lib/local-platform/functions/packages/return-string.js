/**
 * Return string: returns a string. The last value that a step returns is the result of the run.
 *
 * Settings
 *   message  the string; {{expressions}} are filled in from the context
 */
Platform.Functions.register('com.platform.function.return-string', function (settings, context) {
  if (typeof settings.message !== 'string') {
    throw new TypeError('return-string: the setting "message" must be a string.');
  }
  return Platform.Functions.text(Platform.Functions.fill(settings.message, context));
});
