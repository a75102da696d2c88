import { OPENAI_NEWEST } from '../../shared/default-descriptions.js';
import { readOpenAiBalance } from '../../shared/balance.js';
import type { Route } from '../../../ports/channel-picker.js';
import { OPENAI_MODELS } from '../../shared/model-names.js';
import { hostOf } from '../../shared/base-address.js';
import { OPENAI_CHAT } from '../chat-profiles.js';
import { OPENAI_SWITCHES, FORMAT_PATHS } from '../../channel-form.js';
import { type CompatibleProfile, OPENAI_PATHS, PLAIN_RANK } from '../compatible-profile.js';
import { OPENAI_MEDIA } from '../media-operations.js';

/** Hosts of channels of this type that offer Responses; others get chats. */
const RESPONSES_HOSTS =
  /(?:^|\.)(?:openai\.com|azure\.com|groq\.com|openrouter\.ai|x\.ai|fireworks\.ai|vercel\.sh)$/;

const knowsResponses = (route: Pick<Route, 'baseUrl'>): boolean =>
  route.baseUrl === '' || RESPONSES_HOSTS.test(hostOf(route) ?? '');

/** OpenAI, and the compatible providers that are configured under its type. */
export const openai: CompatibleProfile = {
  id: 'openai',
  channelTypes: [
    {
      code: 1,
      name: 'OpenAI',
      form: { keyPrefixes: ['sk-proj-', 'sk-svcacct-'], switches: [...OPENAI_SWITCHES, ...FORMAT_PATHS] },
    },
  ],
  defaultBaseUrl: 'https://api.openai.com',
  paths: OPENAI_PATHS,
  hasReasoningModels: true,
  sendsOrganization: true,
  balance: readOpenAiBalance,
  realtime: true,
  defaultModels: OPENAI_MODELS,
  namesFormats: true,
  description: OPENAI_NEWEST,
  chat: { ...OPENAI_CHAT, prefersResponses: true, hasOtherHosts: true, responsesWhen: knowsResponses },
  media: OPENAI_MEDIA,
  rank: PLAIN_RANK,
};
