import type { ChatRequest } from '../../model/chat.js';
import type { Route } from '../../ports/channel-picker.js';
import { openaiChat } from '../../formats/openai-chat/index.js';
import { openaiCompletions } from '../../formats/openai-completions/index.js';
import { openaiResponses } from '../../formats/openai-responses/index.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import { fitToVendor, withFields, type ChatProfile } from './chat-edits.js';
import type { CompatibleId } from '../shared/default-models.js';
import type { ModelAdaptation, ProviderCall, ProviderOperation } from '../provider.js';
import { continuesText, needsResponsesApi, reasonsEncrypted } from './reasoning-models.js';
import { chatProfileOf, type VendorChatProfile } from './chat-profiles.js';

/** Strict vendors refuse Google's members; a Gemini model wants them back, also behind another vendor's address. */
const GEMINI_MODEL = /gemini/i;

/** Builds one operation of a vendor at a path. */
type BuildChat = (path: string, apiFormat: UpstreamFormat<'chat'>) => ProviderOperation<'chat'>;

/** What the operations of one vendor depend on. */
interface ChatVendor {
  readonly id: CompatibleId;
  readonly chatPath: string;
  /** OpenAI's own models live here, each at the endpoint OpenAI gave it. */
  readonly hasOpenaiModels: boolean;
}

/**
 * The operations by which a vendor of OpenAI's family holds conversations: chat, Responses and text completions, each for the models
 * and callers it is right for. Callers of a format the vendor speaks pass through it.
 */
export function chatOperations(vendor: ChatVendor, build: BuildChat): readonly ProviderOperation<'chat'>[] {
  const profile = chatProfileOf(vendor.id);
  const { completionsPath, responsesPath, fileSchemes } = profile;
  const schemes = fileSchemes === undefined ? {} : { fileSchemes };
  const operations: ProviderOperation<'chat'>[] = [];
  if (responsesPath !== undefined) {
    operations.push({
      ...build(responsesPath, openaiResponses),
      ...schemes,
      serves: (call) => servesResponses(vendor, profile, call),
      adapt: (call) => adaptResponses(profile, call),
    });
  }
  operations.push({
    ...build(vendor.chatPath, openaiChat),
    ...schemes,
    serves: ({ route }) => servesChat(vendor, profile, route),
    adapt: (call) => adaptChat(vendor, profile, call),
    needsBytes: (media) => media === 'file' && vendor.id !== 'openrouter',
  });
  if (completionsPath !== undefined) {
    operations.push({
      ...build(completionsPath, openaiCompletions),
      serves: (call) => servesCompletions(vendor, call),
    });
  }
  return operations;
}

function servesChat(vendor: ChatVendor, profile: VendorChatProfile, route: Route): boolean {
  if (vendor.id === 'custom')
    return !/\/(?:responses|completions|messages)$/.test(tailOf(route)) || isChatAddress(route);
  if (!vendor.hasOpenaiModels) return true;
  const { upstreamModel } = route;
  return (
    !(needsResponsesApi(upstreamModel) && profile.responsesPath !== undefined) &&
    !continuesText(upstreamModel)
  );
}

function servesResponses(vendor: ChatVendor, profile: VendorChatProfile, call: ProviderCall): boolean {
  const { route, clientFormat } = call;
  if (vendor.id === 'custom') return tailOf(route).endsWith('/responses');
  if (vendor.hasOpenaiModels && needsResponsesApi(route.upstreamModel)) return true;
  if (vendor.hasOpenaiModels && continuesText(route.upstreamModel)) return false;
  if (clientFormat === openaiResponses.id) {
    // Ali's address of it stands beside the compatible one.
    if (vendor.id === 'ali') return !route.baseUrl.includes('/compatible-mode');
    // Perplexity's own models answer chats only; what it serves of others answers there.
    if (vendor.id === 'perplexity') return !route.upstreamModel.startsWith('sonar');
    return vendor.id !== 'openai' || knowsResponses(route);
  }
  if (clientFormat === openaiChat.id || clientFormat === openaiCompletions.id) return false;
  // Thoughts survive the turn there, and several answers cannot be asked for.
  return profile.prefersResponses === true && isOwnHost(vendor, route) && call.shape.choices === 1;
}

function servesCompletions(vendor: ChatVendor, { route, clientFormat }: ProviderCall): boolean {
  if (vendor.id === 'custom') return tailOf(route).endsWith('/completions') && !isChatAddress(route);
  const isOpenaiModel = vendor.hasOpenaiModels && (vendor.id !== 'openai' || isOwnHost(vendor, route));
  if (continuesText(route.upstreamModel)) return true;
  return clientFormat === openaiCompletions.id && !isOpenaiModel;
}

/** Path of a full address, without its query. */
const tailOf = ({ baseUrl }: Route): string => baseUrl.split(/[?#]/)[0]?.replace(/\/+$/, '') ?? '';
const isChatAddress = (route: Route): boolean => tailOf(route).endsWith('/chat/completions');

/** Hosts behind type 1 that are known to speak Responses; others get chats. */
const RESPONSES_HOSTS =
  /(?:^|\.)(?:openai\.com|azure\.com|groq\.com|openrouter\.ai|x\.ai|fireworks\.ai|vercel\.sh)$/;

function hostOf(route: Route): string | undefined {
  return URL.canParse(route.baseUrl) ? new URL(route.baseUrl).hostname : undefined;
}

const knowsResponses = (route: Route): boolean =>
  route.baseUrl === '' || RESPONSES_HOSTS.test(hostOf(route) ?? '');

/** The vendor itself, not a look-alike behind its type. */
function isOwnHost(vendor: ChatVendor, route: Route): boolean {
  if (vendor.id === 'azure' || route.baseUrl === '') return true;
  return /(?:^|\.)(?:openai\.com|x\.ai)$/.test(hostOf(route) ?? '');
}

const LOOK_ALIKE: ChatProfile = { history: 'open-round' };

function adaptChat(
  vendor: ChatVendor,
  profile: VendorChatProfile,
  call: ProviderCall,
): ModelAdaptation<'chat'> | undefined {
  const named = suffixOf(profile, call);
  const isForeign = call.clientFormat !== openaiChat.id;
  const isEdited = profile.editedMembers?.some((name) => call.members?.has(name) === true) === true;
  if (named === undefined && !isForeign && !isEdited) return undefined;
  const upstreamModel = named?.upstreamModel ?? call.route.upstreamModel;
  // Look-alikes behind OpenAI's type take other things than OpenAI.
  const taken: ChatProfile = vendor.id === 'openai' && !isOwnHost(vendor, call.route) ? LOOK_ALIKE : profile;
  const search =
    profile.search ?? (/-search-(?:preview|api)/.test(upstreamModel) ? 'web_search_options' : undefined);
  return {
    upstreamModel,
    change: (request) => {
      let changed = named === undefined ? request : named.change(request);
      if (isForeign)
        changed = fitToVendor(changed, {
          ...taken,
          ...(search === undefined ? {} : { search }),
          ...(GEMINI_MODEL.test(upstreamModel) ? { callSignatures: true } : {}),
        });
      changed = profile.reasoning?.(changed, upstreamModel) ?? changed;
      changed = profile.edit?.(changed) ?? changed;
      return isForeign && profile.members !== undefined ? withFields(changed, profile.members) : changed;
    },
  };
}

function adaptResponses(profile: VendorChatProfile, call: ProviderCall): ModelAdaptation<'chat'> | undefined {
  const named = suffixOf(profile, call);
  const isForeign = call.clientFormat !== openaiResponses.id;
  if (named === undefined && !isForeign) return undefined;
  const upstreamModel = named?.upstreamModel ?? call.route.upstreamModel;
  return {
    upstreamModel,
    change: (request) => {
      let changed = named === undefined ? request : named.change(request);
      changed = profile.responsesReasoning?.(changed, upstreamModel) ?? changed;
      return isForeign && reasonsEncrypted(upstreamModel) ? withEncryptedThoughts(changed) : changed;
    },
  };
}

/** Nothing is stored, so thoughts come along encrypted, to be shown again in the next turn. */
function withEncryptedThoughts(request: ChatRequest): ChatRequest {
  const include = ['reasoning.encrypted_content'];
  const own = { include, ...request.vendorOptions?.[openaiResponses.id] };
  return { ...request, vendorOptions: { ...request.vendorOptions, [openaiResponses.id]: own } };
}

function suffixOf(profile: VendorChatProfile, call: ProviderCall) {
  const { upstreamModel } = call.route;
  if (call.options.thinkingBlacklist?.includes(upstreamModel) === true) return undefined;
  return profile.suffix?.(upstreamModel);
}
