import common from './common.json' with { type: 'json' };
import shell from './shell.json' with { type: 'json' };
import signIn from './sign-in.json' with { type: 'json' };
import identity from './identity.json' with { type: 'json' };
import reset from './reset.json' with { type: 'json' };
import oauthCallback from './oauth-callback.json' with { type: 'json' };
import setup from './setup.json' with { type: 'json' };
import home from './home.json' with { type: 'json' };
import playground from './playground.json' with { type: 'json' };
import legal from './legal.json' with { type: 'json' };
import about from './about.json' with { type: 'json' };

/** Texts of the pages a guest sees, and of the frame around every page. */
export const start = {
  common,
  shell,
  signIn,
  identity,
  reset,
  oauthCallback,
  setup,
  home,
  playground,
  about,
  legal,
};
