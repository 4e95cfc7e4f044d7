/** The OAuth2 screen: logs in to the platform's two demo services with Platform.OAuth2 and calls their APIs. */
(async function () {
  const screen = document.getElementById('screen');
  const TITLES = { 'demo-code': 'Authorization code with PKCE', 'demo-implicit': 'Implicit flow' };

  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function button(text, press) {
    return element('button', { type: 'button', textContent: text, onclick: press });
  }

  /** A session as text, without its tokens. */
  function describe(session) {
    if (!session) return 'Not logged in.';
    const until = session.expires ? ', until ' + new Date(session.expires * 1000).toLocaleTimeString() : '';
    return 'Logged in: ' + session.scope + until + (session.refresh_token ? ', can be refreshed' : '') + '.';
  }

  function show(name, configuration) {
    const service = Platform.OAuth2(name);
    const session = element('p', { className: 'session' });
    const answer = element('pre', { className: 'answer' });
    answer.setAttribute('aria-live', 'polite');
    const file = element('input', { type: 'file', name: 'file', title: 'A file to post' });
    const faults = element('a', {
      href: new URL('/faults', configuration.authUrl).href,
      target: '_blank',
      rel: 'noopener',
      textContent: 'Make the next exchange go wrong',
    });
    const proxy = element('input', {
      type: 'checkbox',
      onchange: () =>
        void Platform.OAuth2.configure(name, Object.assign({}, configuration, { useProxy: proxy.checked })),
    });

    async function refresh() {
      session.textContent = describe(await service.getAuthResponse().catch(() => null));
    }

    /** Shows what `call` resolves with, or its error. */
    function shows(call) {
      return async function () {
        answer.textContent = '…';
        try {
          const value = await call();
          answer.textContent = value === undefined ? 'Done.' : JSON.stringify(value, null, 2);
        } catch (error) {
          answer.textContent =
            error.code +
            ': ' +
            error.message +
            (error.body === undefined ? '' : '\n' + JSON.stringify(error.body, null, 2));
        }
        await refresh();
      };
    }

    service.on('auth.login', refresh);
    service.on('auth.fail', refresh);
    service.on('auth.logout', refresh);
    const section = element(
      'section',
      { id: name },
      element('h2', { textContent: name }),
      element('p', { className: 'soft', textContent: TITLES[name] + ' at ' + new URL(configuration.authUrl).origin }),
      session,
      element(
        'p',
        { className: 'buttons' },
        button(
          'Log in',
          shows(() => service.login().then(() => undefined)),
        ),
        button(
          'Log out',
          shows(() => service.logout()),
        ),
        button(
          'Profile',
          shows(() => service.api('profile')),
        ),
        button(
          'List items',
          shows(() => service.api({ path: 'items', data: { limit: 3 } })),
        ),
        button(
          'Add an item',
          shows(() => service.api({ path: 'items', method: 'post', data: { name: 'Extension lead', stock: 2 } })),
        ),
      ),
      element(
        'p',
        { className: 'buttons' },
        file,
        button(
          'Post the file',
          shows(() => service.api({ path: 'items', method: 'post', data: file })),
        ),
      ),
      element('p', { className: 'buttons' }, element('label', {}, proxy, ' Through the proxy of the platform'), faults),
      answer,
    );
    screen.append(section);
    return refresh();
  }

  try {
    const { services } = await Platform.request('oauth-demo');
    Platform.OAuth2.configure(services);
    for (const [name, configuration] of Object.entries(services)) await show(name, configuration);
  } catch (error) {
    screen.append(element('p', { textContent: error.message }));
  }
})();
