import type { VendorDescription } from '../../model/vendor-description.js';
import { CONSERVATIVE, OPENAI_CALL_IDS, OPENAI_ITEM_IDS } from '../shared/default-descriptions.js';
import { reasoningModelEdits } from './reasoning-models.js';

const { messagesTools: _messagesTools, responsesTools: _responsesTools, ...ALL_TOOLS } = CONSERVATIVE;

/** Another address of the models' own vendor, which has all tools of its API: gateways and resellers of OpenAI and Anthropic. */
export const WITH_ALL_TOOLS: VendorDescription = { ...ALL_TOOLS, knowsOriginalDetail: true };

const OPENAI_MODEL: VendorDescription = {
  ...WITH_ALL_TOOLS,
  cap: 'either',
  thoughts: 'none',
  callIds: OPENAI_CALL_IDS,
  itemIds: OPENAI_ITEM_IDS,
  knowsAllowedTools: true,
};

/** Models whose chat templates want a turn of the assistant between a tool and a user, behind whatever address. */
const MISTRAL_MODEL = /mistral|devstral|magistral|codestral/i;

/** https://github.com/NousResearch/hermes-agent/issues/20154, https://github.com/zed-industries/zed/issues/37021 (read 2026-11-29). */
function asMistral(description: VendorDescription): VendorDescription {
  return description.chats?.separatesTools === true
    ? description
    : { ...description, chats: { ...description.chats, separatesTools: true } };
}

/** Models whose own vendor refuses turns without thoughts; hosts of the same models run its template. */
const DEEPSEEK_THINKER = /deepseek-v[4-9]/i;

function asDeepseek(description: VendorDescription): VendorDescription {
  if (description.thoughts !== undefined || description.chats?.needsThoughts !== undefined)
    return description;
  return { ...description, chats: { ...description.chats, needsThoughts: DEEPSEEK_THINKER } };
}

/** The description of a vendor, with what the model's own family asks for where the vendor itself is not described. */
export function byModel(description: VendorDescription, model: string): VendorDescription {
  if (description === CONSERVATIVE) {
    // Models of OpenAI read their cap from the newer member, behind whatever address.
    if (reasoningModelEdits(model).usesCompletionCap) return OPENAI_MODEL;
    if (/claude/i.test(model)) return WITH_ALL_TOOLS;
  }
  if (DEEPSEEK_THINKER.test(model)) return asDeepseek(description);
  return MISTRAL_MODEL.test(model) ? asMistral(description) : description;
}
