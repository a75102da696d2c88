import { type RelayError, shownUpstreamStatus } from '../model/relay-error.js';
import { limitIn } from '../model/full-limit.js';
import { STATUS_OF_KIND } from '../model/status-of-kind.js';
import { MUSIC_TASKS, sunoSubmit } from '../formats/suno-submit/index.js';
import { openaiLimitHeaders } from '../model/limit-figures.js';
import type { Dialect, GatewayReply } from './dialect.js';
import { jsonError } from './json-error.js';
import { openai } from './openai.js';
import { narrowerCode, OPENAI_ERROR_CODES } from './openai-error.js';

/** The client API of Suno-API's clients. */
export const sunoDialect: Dialect = {
  id: 'suno',
  routes: MUSIC_TASKS.map((task) => ({
    method: 'POST',
    path: `/suno/submit/${task}`,
    operation: 'submit',
    apiFormat: sunoSubmit(task),
  })),
  findCredential: openai.findCredential,
  writeError,
  limitHeaders: openaiLimitHeaders,
  writeErrorFrame: (error, callId) => writeError(error, callId).body.toString('utf8'),
};

/** `{code, message, data}`; the message ends with the call id, by which an operator finds the call. */
function writeError(error: RelayError, callId: string): GatewayReply {
  const status =
    (error.blame === 'upstream' ? shownUpstreamStatus(error) : undefined) ?? STATUS_OF_KIND[error.kind];
  const limit = limitIn(error);
  const code = narrowerCode(error) ?? OPENAI_ERROR_CODES[error.kind].code ?? error.kind.replaceAll('-', '_');
  return jsonError(
    status,
    JSON.stringify({
      code,
      message: `${error.message} (request id: ${callId})`,
      data: limit === undefined ? null : { limit },
    }),
    error,
  );
}
