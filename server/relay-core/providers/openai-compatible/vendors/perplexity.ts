import { effortOf } from '../../../formats/shared/fields/reasoning-effort.js';
import type { ChatRequest, Message } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import { names } from '../../shared/model-names.js';
import type { CompatibleProfile } from '../compatible-profile.js';
import { dropped, type ReasoningEdit, upTo, written } from '../reasoning-edits.js';

const perplexityReasoning: ReasoningEdit = (request, model) => {
  const effort = effortOf(request.reasoning);
  return effort !== undefined && /reasoning|research/i.test(model)
    ? written(request, { reasoning_effort: upTo(effort === 'none' ? 'minimal' : effort, 'high') })
    : dropped(request);
};

/** A range that is open at its upper end alone. */
function belowOneTopP(request: ChatRequest): ChatRequest {
  return request.topP !== undefined && request.topP >= 1 ? { ...request, topP: 0.99 } : request;
}

/** Turns of one role side by side become one. */
function mergeTurns(request: ChatRequest): ChatRequest {
  const messages: Message[] = [];
  for (const message of request.messages) {
    const last = messages.at(-1);
    if (last === undefined || last.role !== message.role || message.role === 'tool' || last.role === 'tool') {
      messages.push(message);
      continue;
    }
    messages[messages.length - 1] = { ...last, content: [...last.content, PARAGRAPH, ...message.content] };
  }
  return { ...request, messages };
}

const PARAGRAPH: ContentPart = { type: 'text', text: '\n\n' };

/** Perplexity: models that search. */
export const perplexity: CompatibleProfile = {
  id: 'perplexity',
  channelTypes: [{ code: 27, name: 'Perplexity', form: { keyExample: 'pplx-…', keyPrefixes: ['pplx-'] } }],
  defaultBaseUrl: 'https://api.perplexity.ai',
  ownPath: /(?:\/v1(?:\/responses)?|\/chat\/completions)$/,
  paths: { chat: '/chat/completions' },
  // Every chunk carries cumulative usage.
  refusesStreamOptions: true,
  defaultModels: names(`
    sonar sonar-pro sonar-reasoning sonar-reasoning-pro sonar-deep-research
  `),
  chat: {
    history: 'none',
    search: 'web_search_options',
    reasoning: perplexityReasoning,
    edit: (request) => mergeTurns(belowOneTopP(request)),
    editedMembers: ['top_p'],
    responsesPath: '/v1/responses',
    // Its own models answer chats only; what it serves of others answers there.
    responsesWhen: ({ upstreamModel }) => !upstreamModel.startsWith('sonar'),
  },
};
