import { AWS_STREAM, awsFrame } from '../aws-frames.js';
import { converseGrammar } from './converse.js';
import { eventsOf, messageOf, messagesGrammar } from './messages.js';
import { refuse } from './story.js';
import { sendJson, type StrictGrammar } from './strict-grammar.js';

const INVOKE = /\/invoke(-with-response-stream)?$/;

/** Bedrock: Converse, and Claude's own API format behind invoke, distinguished by their paths. */
export const bedrockGrammar: StrictGrammar = {
  understand: (body, request, story) => {
    if (!INVOKE.test(request.path)) return converseGrammar.understand(body, request, story);
    const { anthropic_version: version, anthropic_beta: betas, ...rest } = body;
    if (version !== 'bedrock-2023-05-31') refuse('anthropic_version: Field required');
    for (const name of ['model', 'stream', 'metadata'])
      if (name in rest) refuse(`${name}: Extra inputs are not permitted`);
    const trials = betas === undefined ? {} : { 'anthropic-beta': String(betas) };
    const headers = { ...request.headers, 'anthropic-version': '2023-06-01', ...trials };
    const understood = messagesGrammar.understand(rest, { ...request, headers }, story);
    return { ...understood, isStreamed: request.path.endsWith('-stream') };
  },
  answer: (wanted, response) => {
    if (!('anthropic_version' in wanted.body)) return converseGrammar.answer(wanted, response);
    const message = messageOf(wanted);
    if (!wanted.isStreamed) return sendJson(response, message);
    response.writeHead(200, { 'content-type': AWS_STREAM });
    const frames = eventsOf(message).map((event) =>
      awsFrame('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64') }),
    );
    response.end(Buffer.concat(frames));
  },
  refusal: (message) => ({ message }),
};
