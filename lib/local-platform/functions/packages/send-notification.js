/**
 * Send notification: sends a push notification. The local platform only stores it in its outbox.
 *
 * Settings, in which {{expressions}} are filled in from the context
 *   title    a single line
 *   message  the body
 */
Platform.Functions.register('com.platform.function.send-notification', async function (settings, context) {
  const title = Platform.Functions.fill(settings.title, context);
  const message = Platform.Functions.fill(settings.message, context);
  for (const [name, value] of Object.entries({ title, message })) {
    if (typeof value !== 'string') throw new TypeError(`send-notification: the setting "${name}" must be a string.`);
  }
  await Platform.request(`apps/${Platform.env().appId}/outbox`, {
    method: 'POST',
    body: { kind: 'notification', title, message },
  });
});
