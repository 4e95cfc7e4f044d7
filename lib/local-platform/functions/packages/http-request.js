/**
 * HTTP request: calls a web service and sets `context.response` to `{ status, headers, body }`.
 *
 * Settings, in which {{expressions}} are filled in from the context
 *   url      an http or https URL, or a path on the platform
 *   method   optional, GET by default
 *   headers  optional: an object of strings
 *   body     optional: a string, or any other value, which is sent as JSON
 *
 * A status of 400 or more doesn’t fail the step: check `response.status`. JSON responses are parsed.
 */
Platform.Functions.register('com.platform.function.http-request', async function (settings, context) {
  const { url, method = 'GET', headers: given = {}, body } = Platform.Functions.fill(settings, context);
  if (typeof url !== 'string') throw new TypeError('http-request: the setting "url" must be a string.');
  if (typeof method !== 'string' || !/^[a-z]{1,20}$/i.test(method))
    throw new TypeError('http-request: the setting "method" must be letters, such as POST.');
  const target = new URL(url, Platform.baseUrl());
  if (!/^https?:$/.test(target.protocol))
    throw new TypeError(`http-request: ${target.protocol} URLs aren’t supported. Use http or https.`);

  const headers = new Headers(given);
  const isText = body === undefined || typeof body === 'string';
  if (!isText && !headers.has('content-type')) headers.set('content-type', 'application/json');

  const sent = isText ? body : JSON.stringify(body);
  let response;
  try {
    response = await fetch(target, { method, headers, body: sent });
  } catch (error) {
    throw new Error(`http-request: ${target.host} didn’t respond, or doesn’t allow requests from this page (CORS).`, {
      cause: error,
    });
  }
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '') && text !== '';
  context.response = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: isJson ? JSON.parse(text) : text,
  };
});
