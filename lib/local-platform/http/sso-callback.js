/** The success page of OAuth2 logins: gives what the service answered to the window that opened it, if that is one of the platform's apps. */
(function () {
  const origins = JSON.parse(document.getElementById('app-origins').textContent);
  const query = location.search;
  const fragment = location.hash;
  // A code or token is not to stay in the address, its history or its Referer.
  history.replaceState(null, '', location.pathname);

  const parameters = [new URLSearchParams(query), new URLSearchParams(fragment.slice(1))];
  const read = (name) => parameters.map((each) => each.get(name)).find((value) => value !== null);
  const error = read('error');
  const opener = window.opener;

  function show(state, title, text) {
    document.title = title;
    document.getElementById('title').textContent = title;
    document.getElementById('text').textContent = text;
    document.querySelector('main').dataset.state = state;
  }

  if (opener && (query || fragment)) {
    for (const origin of origins)
      opener.postMessage({ type: 'platform-oauth2:callback', query: query, fragment: fragment }, origin);
  }

  if (!query && !fragment)
    show('empty', 'Nothing to pass on', 'The service sent no answer to this page. Start the login in the app.');
  else if (error !== undefined) {
    const reason = read('error_description') || '';
    const told =
      reason === '' ? '' : ': ' + (reason.length > 300 ? reason.slice(0, 300) + '…' : reason.replace(/\.$/, ''));
    const next = opener
      ? 'The app has been told; you can close this window.'
      : 'Close this window and try again in the app.';
    show('error', 'The login failed', 'The service refused with "' + error.slice(0, 100) + '"' + told + '. ' + next);
  } else if (!opener)
    show(
      'no-opener',
      'The app is not there any more',
      'This page was not opened by an app, or the app was closed. Nothing was passed on: close this window and log in again in the app.',
    );
  else if (read('code') === undefined && read('access_token') === undefined)
    show(
      'unknown',
      'Not the answer to a login',
      'What the service sent holds neither a code nor a token. The app has been told; you can close this window.',
    );
  else show('passed', 'You are logged in', 'You can close this window and go back to the app.');
})();
