import { getOrAdd } from '../../../common/get-or-add.js';
import { formatRatio } from '../../../common/ratio.js';
import { redactSecrets } from '../../../infra/observability/redact.js';
import type { FinishedCall } from '../../../relay-core/model/call.js';
import { loggedAttempt } from '../../../relay-core/model/logged-attempt.js';
import type { PriceSnapshot } from '../../../relay-core/model/price-snapshot.js';
import { vendorErrorText } from '../../../relay-core/model/relay-error.js';
import type { AcceptedTask } from '../../../relay-core/model/task.js';
import { writePartSentences } from '../../pricing/log-part-sentences.js';
import { partRatios, serviceFactor, tierOf } from '../../pricing/price-parts.js';
import { toolKeyOf } from '../../pricing/tool-prices.js';
import { inputLength, splitUsage, toolUses } from '../../pricing/usage-parts.js';

/** A log row names its caller in columns of their own. */
type LoggedCall = Omit<FinishedCall, 'caller'>;

/** Sentence of a consumption log row: the ratios that made the price. */
export function formatLogContent(call: LoggedCall): string {
  const price = priceSentence(call.snapshot);
  const isRecovered = call.outcome === 'recovered';
  const note = isRecovered ? 'recovered after a crash, charged by what was known' : call.note;
  const extras = [
    ...imageSentence(call),
    ...writePartSentences(call),
    ...tierSentence(call),
    ...toolSentences(call),
  ];
  if (call.task !== undefined) extras.push(taskSentence(call.task));
  if (note !== '') extras.push(note);
  return extras.length === 0 ? price : [price, ...extras].join('; ');
}

/** Size and quality of an image, and their price factors. */
function imageSentence({ shape, snapshot }: LoggedCall): readonly string[] {
  const terms = shape.pictureTerms === undefined ? [] : [shape.pictureTerms];
  if (snapshot.mode !== 'call' || snapshot.factor === undefined) return terms;
  return [...terms, `factor ${snapshot.factor}${inBrackets(snapshot.factorName)}`];
}

const inBrackets = (name: string | undefined): string => (name === undefined ? '' : ` (${name})`);

/** The accepted task, and its id. */
const taskSentence = ({ action, id }: AcceptedTask): string =>
  id === '' ? `action ${action}` : `action ${action}, task ${id}`;

/** Price factor of the service tier that served the call. */
function tierSentence({ usage, snapshot }: LoggedCall): readonly string[] {
  if (snapshot.mode === 'call' || usage.serviceTier === undefined) return [];
  const factor = serviceFactor(snapshot, usage.serviceTier);
  return [`service tier ${usage.serviceTier} ${factor === undefined ? 'at the usual price' : `× ${factor}`}`];
}

/** Calls of tools that were paid for: how many, at what price (dollars per thousand). */
function toolSentences({ usage, snapshot }: LoggedCall): readonly string[] {
  if (snapshot.tools === undefined) return [];
  return toolUses(usage, snapshot.toolsEachCall).flatMap(([name, count]) => {
    const price = Object.hasOwn(snapshot.tools ?? {}, name) ? snapshot.tools?.[name] : undefined;
    return price === undefined
      ? []
      : [`${toolKeyOf(snapshot, name)} ${count} × ${price} dollars per thousand`];
  });
}

const sentences = new WeakMap<PriceSnapshot, string>();

function priceSentence(snapshot: PriceSnapshot): string {
  return getOrAdd(sentences, snapshot, () => {
    const group = `group ratio ${twoPlaces(snapshot.groupRatio)}${agreementText(snapshot)}`;
    if (snapshot.mode === 'call') return `model price ${snapshot.price}, ${group}`;
    const ratios = `model ratio ${twoPlaces(snapshot.modelRatio)}, completion ratio ${twoPlaces(snapshot.completionRatio)}, ${group}`;
    return snapshot.unset === true ? `${ratios}, price not set: fallback ratio` : ratios;
  });
}

/** For whom, and for which models, the factor was agreed. */
function agreementText({ userGroup, modelPattern }: PriceSnapshot): string {
  if (userGroup === undefined) return '';
  const models = modelPattern === undefined ? '' : ` and models ${modelPattern}`;
  return ` agreed for accounts of ${userGroup}${models}`;
}

const agreementMembers = ({ userGroup, modelPattern, groupRatio }: PriceSnapshot): Record<string, unknown> =>
  userGroup === undefined
    ? {}
    : {
        user_group_ratio: Number(groupRatio),
        user_group: userGroup,
        ...(modelPattern === undefined ? {} : { user_group_model: modelPattern }),
      };

/** Two decimals, as old clients expect; all of them where two would hide the figure. */
function twoPlaces(ratio: string): string {
  const fixed = Number(ratio).toFixed(2);
  return Number(fixed) === Number(ratio) ? fixed : ratio;
}

/** Milliseconds to the first streamed piece when nothing was streamed: what clients of this API family test for. */
const NO_FIRST_BYTE = -1000;
const REALTIME_PATH = '/v1/realtime';
const CLAUDE_PATH = '/v1/messages';

/** Words at the end of a model's name that set its thinking, at the vendors that have them. */
const EFFORT_ENDING =
  /^(?:o[134]|gpt-5|grok-3-mini|deepseek-v[4-9]|claude-).*-(none|minimal|low|medium|high|xhigh|max)$/;

const ratioTexts = new WeakMap<PriceSnapshot, string>();

/** Members with the prices, which all calls of a price have alike. */
function ratioMembers(snapshot: PriceSnapshot): string {
  const text = getOrAdd(ratioTexts, snapshot, () => {
    const isRatio = snapshot.mode === 'ratio';
    const members = JSON.stringify({
      model_ratio: isRatio ? Number(snapshot.modelRatio) : 0,
      group_ratio: Number(snapshot.groupRatio),
      completion_ratio: isRatio ? Number(snapshot.completionRatio) : 0,
      model_price: isRatio ? -1 : Number(snapshot.price),
      cache_ratio: isRatio ? Number(snapshot.cacheRatio) : 0,
      ...agreementMembers(snapshot),
      ...(isRatio || snapshot.factor === undefined
        ? {}
        : factorMembers(snapshot.factor, snapshot.factorName)),
    });
    return members.slice(0, -1);
  });
  return text;
}

/**
 * The `other` document of a consumption log row, as JSON text. What few calls have is added to what all
 * have: a literal full of spreads takes several times as long.
 */
export function formatLogOther(call: LoggedCall): string {
  const { snapshot, usage, path } = call;
  const others: Record<string, unknown> = {
    cache_tokens: usage.input.cacheRead ?? 0,
    frt: call.firstByteMs === undefined ? NO_FIRST_BYTE : Math.max(0, Math.round(call.firstByteMs)),
    request_path: path,
    evidence: call.evidence,
    outcome: call.outcome,
    duration_ms: Math.max(0, Math.round(call.durationMs)),
    admin_info: {
      use_channel: call.attempts.map((attempt) => String(attempt.channelId)),
      attempts: call.attempts.map(loggedAttempt),
      ...(call.vendorSays === undefined
        ? {}
        : { upstream_error: redactSecrets(vendorErrorText(call.vendorSays)) }),
    },
  };
  if (path === CLAUDE_PATH) others['claude'] = true;
  if (path === REALTIME_PATH) others['ws'] = true;
  if (call.isNative !== undefined) others['native'] = call.isNative;
  if (call.isModelMapped) {
    others['is_model_mapped'] = true;
    others['upstream_model_name'] = call.upstreamModel;
  }
  // A word of the request goes over the name's; the vendor's name has lost the ending, the caller's has it.
  const effort =
    call.effort ?? EFFORT_ENDING.exec(call.upstreamModel)?.[1] ?? EFFORT_ENDING.exec(call.shape.model)?.[1];
  if (effort !== undefined) others['reasoning_effort'] = effort;
  if (usage.units !== undefined) others['image_count'] = usage.units;
  if (call.warnings !== undefined) others['warnings'] = call.warnings;
  if (snapshot.mode === 'ratio') addTokenMembers(others, call, snapshot);
  if (snapshot.tools !== undefined) Object.assign(others, toolMembers(usage, snapshot));
  Object.assign(others, unpricedMembers(usage, snapshot));
  return `${ratioMembers(snapshot)},${JSON.stringify(others).slice(1)}`;
}

/** Tokens that were not plain text. */
function addTokenMembers(
  others: Record<string, unknown>,
  call: LoggedCall,
  snapshot: Extract<PriceSnapshot, { mode: 'ratio' }>,
): void {
  const { usage, path } = call;
  if (path === CLAUDE_PATH || (usage.input.cacheWrite ?? 0) > 0) {
    others['cache_creation_tokens'] = usage.input.cacheWrite ?? 0;
    others['cache_creation_ratio'] = Number(snapshot.cacheWriteRatio);
    Object.assign(others, hourWriteMembers(usage, snapshot));
  }
  if (path === REALTIME_PATH || (usage.input.audio ?? 0) > 0 || (usage.output.audio ?? 0) > 0)
    Object.assign(others, audioMembers(call, snapshot));
  if ((usage.input.image ?? 0) > 0) {
    others['image'] = true;
    others['image_ratio'] = Number(snapshot.imageRatio);
    others['image_output'] = usage.input.image;
  }
  if (snapshot.tiers !== undefined) Object.assign(others, tierMembers(usage, snapshot));
  if (snapshot.serviceTiers !== undefined) Object.assign(others, serviceTierMembers(usage, snapshot));
}

/** Price factors of an image's size and quality. */
const factorMembers = (factor: string, name: string | undefined): Record<string, unknown> => ({
  price_factor: Number(factor),
  ...(name === undefined ? {} : { price_factor_name: name }),
});

/** Which prices of long calls applied, if any did. */
function tierMembers(
  usage: FinishedCall['usage'],
  snapshot: Extract<PriceSnapshot, { mode: 'ratio' }>,
): Record<string, unknown> {
  const tier = tierOf(snapshot, inputLength(splitUsage(usage)));
  if (tier === undefined) return {};
  return {
    tier_above_tokens: tier.above,
    tier_input_ratio: Number(tier.input),
    tier_output_ratio: Number(tier.output),
  };
}

/** The class of service the vendor served the call in, where it has a price of its own. */
function serviceTierMembers(
  usage: FinishedCall['usage'],
  snapshot: Extract<PriceSnapshot, { mode: 'ratio' }>,
): Record<string, unknown> {
  const factor = serviceFactor(snapshot, usage.serviceTier);
  return factor === undefined ? {} : { service_tier: usage.serviceTier, service_tier_ratio: Number(factor) };
}

/** Tools that the vendor counts itself and that have no price of their own. */
const MAYBE_FREE: ReadonlySet<string> = new Set([
  'web-search',
  'web-fetch',
  'file-search',
  'code-execution',
  'image-generation',
]);

/** Uses of tools that no price is known for, by name: the operator may be billed for them. */
function unpricedMembers(usage: FinishedCall['usage'], snapshot: PriceSnapshot): Record<string, unknown> {
  const unpriced = Object.entries(usage.tools ?? {}).filter(
    ([name, count]) => count > 0 && !MAYBE_FREE.has(name) && !Object.hasOwn(snapshot.tools ?? {}, name),
  );
  return unpriced.length === 0 ? {} : { unpriced_tools: Object.fromEntries(unpriced) };
}

/** Members the log screen reads for searches, and a list of all tools that were paid for. */
function toolMembers(usage: FinishedCall['usage'], snapshot: PriceSnapshot): Record<string, unknown> {
  const charged = toolUses(usage, snapshot.toolsEachCall).flatMap(([name, count]) => {
    const price = Object.hasOwn(snapshot.tools ?? {}, name) ? snapshot.tools?.[name] : undefined;
    return price === undefined ? [] : [{ name, count, price: Number(price) }];
  });
  if (charged.length === 0) return {};
  const web = charged.find(({ name }) => name === 'web-search');
  const file = charged.find(({ name }) => name === 'file-search');
  return {
    ...(web === undefined
      ? {}
      : { web_search: true, web_search_call_count: web.count, web_search_price: web.price }),
    ...(file === undefined
      ? {}
      : { file_search: true, file_search_call_count: file.count, file_search_price: file.price }),
    tool_surcharges: charged.map((one) => ({ ...one, name: toolKeyOf(snapshot, one.name) })),
  };
}

/** Cache writes kept for an hour, at their own price. */
const hourWriteMembers = (
  usage: FinishedCall['usage'],
  snapshot: Extract<FinishedCall['snapshot'], { mode: 'ratio' }>,
): Record<string, unknown> =>
  (usage.input.cacheWrite1h ?? 0) === 0
    ? {}
    : {
        cache_creation_tokens_5m: (usage.input.cacheWrite ?? 0) - (usage.input.cacheWrite1h ?? 0),
        cache_creation_tokens_1h: usage.input.cacheWrite1h,
        cache_creation_ratio_1h: Number(formatRatio(partRatios(snapshot).cacheWrite1h)),
      };

function audioMembers(
  call: LoggedCall,
  snapshot: PriceSnapshot & { mode: 'ratio' },
): Record<string, unknown> {
  const { input, output } = call.usage;
  return {
    audio: true,
    audio_input: input.audio ?? 0,
    audio_output: output.audio ?? 0,
    text_input: Math.max(0, (input.total ?? 0) - (input.audio ?? 0)),
    text_output: Math.max(0, (output.total ?? 0) - (output.audio ?? 0)),
    audio_ratio: Number(snapshot.audioRatio),
    audio_completion_ratio: Number(snapshot.audioCompletionRatio),
  };
}
