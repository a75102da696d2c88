import { ok } from '../../common/result.js';
import type { Dialect, DialectRoute } from '../../relay-core/dialects/dialect.js';
import { openai } from '../../relay-core/dialects/openai.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';

/** Like the relay's chat address, except for the code of a model without a channel. */
const withCode = (error: RelayError): RelayError =>
  error.kind === 'channel-unavailable' ? { ...error, code: 'get_playground_channel_failed' } : error;

/** OpenAI's API for users signed in to the console: there is no key, and a key in the request is ignored. */
export const playgroundDialect: Dialect = {
  ...openai,
  findCredential: () => ok(''),
  writeError: (error, callId) => openai.writeError(withCode(error), callId),
};

/** The relay's route of the same operation, at an address below /pg. */
function sessionRoute(operationPath: string) {
  const path = `/pg/${operationPath}`;
  const route = openai.routes.find((each) => each.path === `/v1/${operationPath}`);
  if (route === undefined) throw new Error(`no route /v1/${operationPath}`);
  const ofSession: DialectRoute = { ...route, path };
  return { ...ofSession, dialect: playgroundDialect, pattern: new RegExp(`^${path}$`) };
}

/** Calls of a signed-in account, which need no key. */
export const PLAYGROUND_ROUTES = {
  chat: sessionRoute('chat/completions'),
  image: sessionRoute('images/generations'),
  speech: sessionRoute('audio/speech'),
};

export type PlaygroundRoute = (typeof PLAYGROUND_ROUTES)[keyof typeof PLAYGROUND_ROUTES];
