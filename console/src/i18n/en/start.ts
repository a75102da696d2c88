import common from './common.json' with { type: 'json' };
import shell from './shell.json' with { type: 'json' };
import signIn from './sign-in.json' with { type: 'json' };
import identity from './identity.json' with { type: 'json' };
import legal from './legal.json' with { type: 'json' };

/** Texts of the frame around every page, and of signing in. */
export const start = { common, shell, signIn, identity, legal };
