/** The OAuth2 screen: logs in to the platform’s two demo services with Platform.OAuth2, and calls their APIs. */
(async function () {
  const screen = document.getElementById('screen');
  const TITLES = { 'demo-code': 'Authorization code with PKCE', 'demo-implicit': 'Implicit flow' };

  function element(name, properties, ...children) {
    const created = Object.assign(document.createElement(name), properties);
    created.append(...children);
    return created;
  }

  const button = (label, onclick) => element('button', { type: 'button', textContent: label, onclick });
  const row = (...children) => element('p', { className: 'buttons' }, ...children);

  /** A session as text, without its tokens. */
  function describe(session) {
    if (!session) return 'Not logged in.';
    const until = session.expires ? ', until ' + new Date(session.expires * 1000).toLocaleTimeString() : '';
    return 'Logged in: ' + session.scope + until + (session.refresh_token ? ', can be refreshed' : '') + '.';
  }

  function describeError({ code, message, body }) {
    return code + ': ' + message + (body === undefined ? '' : '\n' + JSON.stringify(body, null, 2));
  }

  function show(name, configuration) {
    const service = Platform.OAuth2(name);
    const session = element('p', { className: 'session' });
    const response = element('pre', { className: 'response', ariaLive: 'polite' });
    const refresh = async () => {
      session.textContent = describe(await service.getAuthResponse().catch(() => null));
    };
    /** A button that shows what `call` resolves with, or its error. */
    const callButton = (label, call) =>
      button(label, async function () {
        response.textContent = '…';
        try {
          const value = await call();
          response.textContent = value === undefined ? 'Done.' : JSON.stringify(value, null, 2);
        } catch (error) {
          response.textContent = describeError(error);
        }
        await refresh();
      });
    const { origin, href: faults } = new URL('/faults', configuration.authUrl);
    const item = { name: 'Extension lead', stock: 2 };
    const file = element('input', { type: 'file', name: 'file', title: 'File to post' });
    const proxy = element('input', {
      type: 'checkbox',
      onchange: () => void Platform.OAuth2.configure(name, { ...configuration, useProxy: proxy.checked }),
    });
    for (const event of ['auth.login', 'auth.fail', 'auth.logout']) service.on(event, refresh);
    screen.append(
      element(
        'section',
        { id: name },
        element('h2', { textContent: name }),
        element('p', { className: 'soft', textContent: TITLES[name] + ' at ' + origin }),
        session,
        row(
          callButton('Log in', () => service.login().then(() => undefined)),
          callButton('Log out', () => service.logout()),
          callButton('Profile', () => service.api('profile')),
          callButton('List items', () => service.api({ path: 'items', data: { limit: 3 } })),
          callButton('Add an item', () => service.api({ path: 'items', method: 'post', data: item })),
        ),
        row(
          file,
          callButton('Post the file', () => service.api({ path: 'items', method: 'post', data: file })),
        ),
        row(
          element('label', {}, proxy, ' Use the platform’s proxy'),
          element('a', { href: faults, target: '_blank', rel: 'noopener', textContent: 'Simulate a failure' }),
        ),
        response,
      ),
    );
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
