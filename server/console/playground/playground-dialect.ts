import { ok } from '../../common/result.js';
import type { Dialect, DialectRoute } from '../../relay-core/dialects/dialect.js';
import { openai } from '../../relay-core/dialects/openai.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';

export const PLAYGROUND_PATH = '/pg/chat/completions';

const CHAT_PATH = '/v1/chat/completions';

/** As on the relay's chat address, but for the code of a model nobody serves. */
const withCode = (error: RelayError): RelayError =>
  error.kind === 'channel-unavailable' ? { ...error, code: 'get_playground_channel_failed' } : error;

/** OpenAI's chat for people who are signed in to the console: there is no key, and what comes as one means nothing. */
export const playgroundDialect: Dialect = {
  ...openai,
  findCredential: () => ok(''),
  writeError: (error, callId) => openai.writeError(withCode(error), callId),
};

function chatRoute(): DialectRoute {
  const route = openai.routes.find(({ path }) => path === CHAT_PATH);
  if (route === undefined) throw new Error('the chat address is gone');
  return { ...route, path: PLAYGROUND_PATH };
}

export const PLAYGROUND_ROUTE = {
  ...chatRoute(),
  dialect: playgroundDialect,
  pattern: /^\/pg\/chat\/completions$/,
};
