/** Uses the types of the OAuth2 library as a project that installs it would. */
import { createOAuth2, type OAuth2, OAuth2Error } from '@platform-devtools/oauth2';

const oauth2: OAuth2 = createOAuth2(window);
oauth2.configure('crm', {
  clientId: 'app',
  clientSecret: '',
  redirectUrl: 'https://app.example/',
  authUrl: 'https://crm.example/',
  grantType: 'token',
  baseUrl: 'https://crm.example/',
});
const session: Promise<unknown> = oauth2('crm').getAuthResponse();
session.catch((error: unknown) => error instanceof OAuth2Error && (error.code satisfies string));
// @ts-expect-error a window is required
export const withoutWindow = (): OAuth2 => createOAuth2();
