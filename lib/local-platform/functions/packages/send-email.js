/**
 * Send email: sends an email. The local platform also stores it in its outbox.
 *
 * Settings, in which {{expressions}} are filled in from the context
 *   to       an email address, or several separated by commas
 *   subject  a single line
 *   html     the body; filled-in values are escaped
 */
Platform.Functions.register('com.platform.function.send-email', async function (settings, context) {
  const to = Platform.Functions.fill(settings.to, context);
  const subject = Platform.Functions.fill(settings.subject, context);
  const html = Platform.Functions.fill(settings.html, context, { escape: 'html' });
  for (const [name, value] of Object.entries({ to, subject, html })) {
    if (typeof value !== 'string') throw new TypeError(`send-email: the setting "${name}" must be a string.`);
  }
  await Platform.request(`apps/${Platform.env().appId}/outbox`, {
    method: 'POST',
    body: { kind: 'email', to, subject, html },
  });
});
