/**
 * Check address (example): throws when an e-mail address cannot be one.
 *
 * Settings
 *   address  the address; {{expressions}} are filled in from the context
 */
Platform.Functions.register('com.example.function.check-address', function (settings, context) {
  const address = Platform.Functions.fill(settings.address, context);
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)) {
    throw new TypeError(`"${address}" is not an e-mail address.`);
  }
});
