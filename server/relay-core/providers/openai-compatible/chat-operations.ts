import type { ChatRequest } from '../../model/chat.js';
import type { Route } from '../../ports/channel-picker.js';
import { openaiChat } from '../../formats/openai-chat/index.js';
import { openaiCompletions } from '../../formats/openai-completions/index.js';
import { openaiResponses } from '../../formats/openai-responses/index.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import { fitToVendor, withFields, type ChatProfile } from './chat-edits.js';
import type { VendorDescription } from '../../model/vendor-description.js';
import { presetChatOf, takesTopK } from '../presets/presets.js';
import { hostOf } from '../shared/base-address.js';
import { CONSERVATIVE, OPENAI_NEWEST } from '../shared/default-descriptions.js';
import { byModel } from './undescribed.js';
import type { ModelAdaptation, ProviderCall, ProviderOperation } from '../provider.js';
import { continuesText, needsResponsesApi, reasonsEncrypted } from './reasoning-models.js';
import type { VendorChatProfile } from './chat-profiles.js';
import { effortInWords, REASONING_MEMBERS } from './reasoning-edits.js';

/** Strict vendors refuse Google's members; a Gemini model wants them back, also behind another vendor's address. */
const GEMINI_MODEL = /gemini/i;

/** Builds one operation of a vendor at a path. */
type BuildChat = (path: string, apiFormat: UpstreamFormat<'chat'>) => ProviderOperation<'chat'>;

/** Facts of a vendor that its operations depend on. */
interface ChatVendor {
  readonly profile: VendorChatProfile;
  readonly description: VendorDescription;
  readonly chatPath: string;
  /** The channel's address is that of one operation: its end names the format. */
  readonly baseIsFullAddress: boolean;
  /** OpenAI's own models live here, each at the endpoint OpenAI gave it. */
  readonly hasOpenaiModels: boolean;
  /** Descriptions of other vendors by the host of their address; absent = none. */
  readonly describedHosts?: ReadonlyMap<string, VendorDescription>;
}

/**
 * The operations by which a vendor of OpenAI's family holds conversations: chat, Responses and text completions, each for the models
 * and callers it is right for. Calls in a format the vendor has pass through unchanged.
 */
export function chatOperations(vendor: ChatVendor, build: BuildChat): readonly ProviderOperation<'chat'>[] {
  const { profile } = vendor;
  const { completionsPath, responsesPath, fileSchemes } = profile;
  const schemes = fileSchemes === undefined ? {} : { fileSchemes };
  const operations: ProviderOperation<'chat'>[] = [];
  if (responsesPath !== undefined) {
    const responses = build(responsesPath, openaiResponses);
    operations.push({
      ...responses,
      ...schemes,
      serves: (call) => servesResponses(vendor, call),
      adapt: (call) => adaptResponses(profile, call),
      edits: (call) =>
        withRefused(responses.edits(call), presetChatOf(call.route)?.responses?.refusedMembers),
      describe: (call) => presetChatOf(call.route)?.responses?.description ?? describe(vendor, call),
    });
  }
  const chat = build(vendor.chatPath, openaiChat);
  operations.push({
    ...chat,
    ...schemes,
    serves: (call) => servesChat(vendor, call),
    adapt: (call) => adaptChat(vendor, call),
    edits: (call) => withRefused(chat.edits(call), refusedOf(vendor, call)),
    describe: (call) => describeChat(vendor, call),
    needsBytes: (media) => media === 'file' && profile.opensFiles !== true,
  });
  if (completionsPath !== undefined) {
    operations.push({
      ...build(completionsPath, openaiCompletions),
      serves: (call) => servesCompletions(vendor, call),
    });
  }
  return operations;
}

type Edits = ReturnType<ProviderOperation<'chat'>['edits']>;

const withRefused = (edits: Edits, refused: readonly string[] = []): Edits =>
  refused.length === 0
    ? edits
    : { ...edits, refusedMembers: [...new Set([...edits.refusedMembers, ...refused])] };

/** Members that the vendor or the model refuses. Words for reasoning of another API are translated, so none of them is lost. */
function refusedOf(vendor: ChatVendor, { route, clientFormat }: ProviderCall): readonly string[] {
  const preset = presetChatOf(route);
  if (preset === undefined) {
    const own = vendor.profile.refusedBy?.(route.upstreamModel);
    return own ?? (clientFormat !== openaiChat.id && isUndescribed(vendor, route) ? NOT_OPENAIS : []);
  }
  const { refusedMembers } = preset;
  return clientFormat === openaiChat.id
    ? refusedMembers
    : refusedMembers.filter((name) => !REASONING_MEMBERS.includes(name));
}

function servesChat(vendor: ChatVendor, call: ProviderCall): boolean {
  const { route } = call;
  if (searchesByTools(vendor.profile, call)) return false;
  if (vendor.baseIsFullAddress)
    return !/\/(?:responses|completions|messages)$/.test(tailOf(route)) || isChatAddress(route);
  if (!vendor.hasOpenaiModels) return true;
  const { upstreamModel } = route;
  return (
    !(needsResponsesApi(upstreamModel) && vendor.profile.responsesPath !== undefined) &&
    !continuesText(upstreamModel)
  );
}

function servesResponses(vendor: ChatVendor, call: ProviderCall): boolean {
  const { route, clientFormat } = call;
  const { profile } = vendor;
  if (vendor.baseIsFullAddress) return tailOf(route).endsWith('/responses');
  if (vendor.hasOpenaiModels && needsResponsesApi(route.upstreamModel)) return true;
  if (vendor.hasOpenaiModels && continuesText(route.upstreamModel)) return false;
  if (clientFormat === openaiResponses.id) return profile.responsesWhen?.(route) ?? true;
  if (searchesByTools(profile, call)) return true;
  if (clientFormat === openaiChat.id || clientFormat === openaiCompletions.id) return false;
  // Thoughts survive the turn there, and it has no parameter for several answers.
  return profile.prefersResponses === true && isOwnHost(route) && call.shape.choices === 1;
}

/** Returns true for a chat whose search the Responses endpoint alone has tools for. */
const searchesByTools = (profile: VendorChatProfile, call: ProviderCall): boolean =>
  call.clientFormat === openaiChat.id && call.shape.choices === 1 && profile.toolSearch?.asks(call) === true;

function servesCompletions(vendor: ChatVendor, { route, clientFormat }: ProviderCall): boolean {
  if (vendor.baseIsFullAddress) return tailOf(route).endsWith('/completions') && !isChatAddress(route);
  const isOpenaiModel = vendor.hasOpenaiModels && !isOtherHost(vendor.profile, route);
  if (continuesText(route.upstreamModel)) return true;
  return clientFormat === openaiCompletions.id && !isOpenaiModel;
}

/** Path of a full address, without its query. */
const tailOf = ({ baseUrl }: Route): string => baseUrl.split(/[?#]/)[0]?.replace(/\/+$/, '') ?? '';
const isChatAddress = (route: Route): boolean => tailOf(route).endsWith('/chat/completions');

/** True for the vendor itself, false for a compatible host behind its type. */
function isOwnHost(route: Route): boolean {
  return route.baseUrl === '' || /(?:^|\.)(?:openai\.com|x\.ai)$/.test(hostOf(route) ?? '');
}

const isOtherHost = (profile: VendorChatProfile, route: Route): boolean =>
  profile.hasOtherHosts === true && !isOwnHost(route);

/** Addresses behind OpenAI's type whose hosts take its newest form. */
const OPENAI_ADDRESS = /^https?:\/\/(?:[^/?#@]*\.)?(?:openai|azure)\.com(?=[:/?#]|$)/i;

function describeChat(vendor: ChatVendor, call: ProviderCall): VendorDescription {
  const { upstreamModel } = call.route;
  const preset = presetChatOf(call.route)?.describe(upstreamModel);
  return preset === undefined ? describe(vendor, call) : byModel(preset, upstreamModel);
}

function describe(vendor: ChatVendor, { route }: ProviderCall): VendorDescription {
  const isOpen = vendor.baseIsFullAddress || (vendor.profile.hasOtherHosts === true && route.baseUrl !== '');
  if (isOpen && OPENAI_ADDRESS.test(route.baseUrl)) return OPENAI_NEWEST;
  const hosted = isOpen ? vendor.describedHosts?.get(hostOf(route) ?? '') : undefined;
  if (hosted !== undefined) return hosted;
  return byModel(isOpen ? CONSERVATIVE : vendor.description, route.upstreamModel);
}

const LOOK_ALIKE: ChatProfile = { history: 'open-round' };
/**
 * Members of other APIs that OpenAI's chats do not have. Some hosts refuse them ("property 'top_k' is unsupported"), and no caller of
 * another API knows the host: a caller of chats who writes one does.
 */
const NOT_OPENAIS: readonly string[] = ['top_k'];

/** A host of its own choice behind an open address, of which nothing is known. */
const isUndescribed = ({ profile, baseIsFullAddress, describedHosts }: ChatVendor, route: Route): boolean =>
  (isOtherHost(profile, route) || (baseIsFullAddress && !isOwnHost(route))) &&
  describedHosts?.has(hostOf(route) ?? '') !== true &&
  !takesTopK(route);

/** Models whose own hosts want the thoughts of a round of tools again; other hosts serve the same models. */
const ASKS_FOR_THOUGHTS = /deepseek|kimi|glm-|minimax/i;

function adaptChat(
  { profile, hasOpenaiModels }: ChatVendor,
  call: ProviderCall,
): ModelAdaptation<'chat'> | undefined {
  const named = suffixOf(profile, call);
  const isForeign = call.clientFormat !== openaiChat.id;
  const preset = presetChatOf(call.route);
  const editedMembers = preset === undefined ? profile.editedMembers : REASONING_MEMBERS;
  const isEdited = editedMembers?.some((name) => call.members?.has(name) === true) === true;
  if (named === undefined && !isForeign && !isEdited) return undefined;
  const upstreamModel = named?.upstreamModel ?? call.route.upstreamModel;
  // Compatible hosts behind OpenAI's type take other fields than OpenAI.
  const taken: ChatProfile = isOtherHost(profile, call.route) ? LOOK_ALIKE : profile;
  const asksForThoughts =
    taken.history === 'none' && !hasOpenaiModels && ASKS_FOR_THOUGHTS.test(upstreamModel);
  const search =
    profile.search ?? (/-search-(?:preview|api)/.test(upstreamModel) ? 'web_search_options' : undefined);
  return {
    upstreamModel,
    change: (request) => {
      let changed = named === undefined ? request : named.change(request);
      if (isForeign)
        changed = fitToVendor(changed, {
          ...taken,
          ...(asksForThoughts ? LOOK_ALIKE : {}),
          ...(search === undefined ? {} : { search }),
          ...(GEMINI_MODEL.test(upstreamModel) ? { callSignatures: true } : {}),
        });
      changed =
        preset === undefined
          ? (profile.reasoning?.(changed, upstreamModel) ?? changed)
          : effortInWords(changed, (effort) => preset.effortFor(upstreamModel, effort));
      changed = profile.edit?.(changed) ?? changed;
      return isForeign && profile.members !== undefined ? withFields(changed, profile.members) : changed;
    },
  };
}

function adaptResponses(profile: VendorChatProfile, call: ProviderCall): ModelAdaptation<'chat'> | undefined {
  const named = suffixOf(profile, call);
  const isForeign = call.clientFormat !== openaiResponses.id;
  const search = profile.toolSearch?.asks(call) === true ? profile.toolSearch : undefined;
  if (named === undefined && !isForeign && search === undefined) return undefined;
  const upstreamModel = named?.upstreamModel ?? call.route.upstreamModel;
  return {
    upstreamModel,
    change: (request) => {
      let changed = named === undefined ? request : named.change(request);
      changed = search?.edit(changed) ?? changed;
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
