/**
 * Check address (example): throws if a string isn’t an email address.
 *
 * Settings
 *   address  the email address; {{expressions}} are filled in from the context
 */
Platform.Functions.register('com.example.function.check-address', function (settings, context) {
  const address = Platform.Functions.fill(settings.address, context);
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)) {
    throw new TypeError(`“${address}” isn’t an email address.`);
  }
});
