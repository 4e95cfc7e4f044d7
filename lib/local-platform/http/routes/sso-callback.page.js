/**
 * The callback page of OAuth2 logins: posts the service’s response to the app that opened it, if the app is on a known
 * origin.
 */
(function () {
  const origins = JSON.parse(document.getElementById('app-origins').textContent);
  const query = location.search;
  const fragment = location.hash;
  // Don’t leave a code or token in the URL, the history, or a Referer header.
  history.replaceState(null, '', location.pathname);

  const parameters = [new URLSearchParams(query), new URLSearchParams(fragment.slice(1))];
  const read = (...names) =>
    names.flatMap((name) => parameters.map((each) => each.get(name))).find((value) => value) || '';
  const grant = read('code', 'access_token');
  // Some services send a code of success beside the grant.
  const error = read('error') || (grant ? '' : read('error_code', 'error_description', 'error_message'));
  const opener = window.opener;

  function show(state, title, text) {
    document.title = title;
    document.getElementById('title').textContent = title;
    document.getElementById('text').textContent = text;
    document.querySelector('main').dataset.state = state;
  }

  function causeText(text) {
    if (!text) return '';
    return ': ' + (text.length > 300 ? text.slice(0, 300) + '…' : text.replace(/\.$/, ''));
  }

  if (opener && (query || fragment)) {
    for (const origin of origins)
      opener.postMessage({ type: 'platform-oauth2:callback', query: query, fragment: fragment }, origin);
  }

  if (!query && !fragment)
    show('empty', 'No login to complete', 'The service sent nothing to this page. Start the login in the app.');
  else if (error) {
    const description = read('error_description', 'error_message');
    const cause = description === error ? '' : causeText(description);
    const hint = opener ? 'You can close this window.' : 'Close this window and try again in the app.';
    show('error', 'Login failed', 'The service refused with “' + error.slice(0, 100) + '”' + cause + '. ' + hint);
  } else if (!opener)
    show(
      'no-opener',
      'The app isn’t open',
      'No app opened this page, the app was closed, or a page of the service cut the link to it. Nothing was sent to it. Close this window and log in again in the app.',
    );
  else if (!grant)
    show(
      'unknown',
      'Not a login response',
      'The service’s response has neither a code nor a token. You can close this window.',
    );
  else
    show(
      'passed',
      'Login passed to the app',
      'Return to the app to see if you are logged in. You can close this window.',
    );
})();
