import { fail, ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { MediaSource } from '../../model/content.js';
import type { ImageReply, ImageRequest } from '../../model/image.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Usage } from '../../model/usage.js';
import type { Warning } from '../../model/warning.js';
import {
  documentOf,
  parseDocument,
  listOf,
  numberOf,
  textOf,
  type Document,
} from '../../formats/shared/fields/json-fields.js';
import { warnOfOtherFormatFields } from '../../formats/shared/fields/dropped-fields.js';
import { writeMediaAddress } from '../../formats/shared/fields/media-address.js';
import { ReplyMeter, type WholeVerdict } from '../../formats/contract/reply-meter.js';
import { FORBIDDEN_FIELDS } from '../../formats/shared/fields/request-fields.js';
import type { UpstreamFormat, RequestEdits, WrittenRequest } from '../../formats/contract/api-format.js';

/** Request form of a DashScope image model. */
export type AliImageForm = 'messages' | 'prompt' | 'images';

/** Settings callers may give beside `parameters`; the vendor has them there. */
const LOOSE_PARAMETERS: readonly string[] = ['watermark', 'negative_prompt', 'seed', 'prompt_extend'];
/** Tokens charged for an image without a price of its own: 0.0025 US dollars at ratio 1. */
const TOKENS_PER_IMAGE = 1_250;
/** Settings that the vendor does not have, each by the name that callers use. */
const SETTINGS = [
  ['quality', 'quality'],
  ['style', 'style'],
  ['background', 'background'],
  ['outputFormat', 'output_format'],
  ['mask', 'mask'],
  ['user', 'user'],
] as const satisfies readonly (readonly [keyof ImageRequest, string])[];
/** The format callers' extra members come from. */
const CALLER_FORMAT = 'openai-images';

/**
 * DashScope's own image API: https://help.aliyun.com/zh/model-studio/qwen-image-api (read 2026-11-21). Three request
 * forms, one reply; a task's reply is read when the task has ended.
 */
const aliImageFormat = (form: AliImageForm): UpstreamFormat<'image'> => ({
  id: `ali-images-${form}`,
  spliceRequest: ({ document }) => document.bytes,
  writeRequest: (request, edits) => writeRequest(form, request, edits),
  openMeter: (call) => new AliImageMeter(call.shape),
  readReply,
});

export const aliMessageImages = aliImageFormat('messages');
export const aliPromptImages = aliImageFormat('prompt');
export const aliSourceImages = aliImageFormat('images');

function writeRequest(form: AliImageForm, request: ImageRequest, edits: RequestEdits): WrittenRequest {
  const extras = documentOf(request.vendorOptions?.[CALLER_FORMAT]);
  const parameters: Record<string, unknown> = {};
  for (const name of LOOSE_PARAMETERS) if (extras[name] !== undefined) parameters[name] = extras[name];
  Object.assign(parameters, documentOf(extras['parameters']));
  if (request.size !== undefined) parameters['size'] = request.size.replace(/^(\d+)x(\d+)$/i, '$1*$2');
  // The priced number of images, whatever the other settings.
  parameters['n'] = request.count;
  const input = { ...inputOf(form, request), ...documentOf(extras['input']) };
  const body: Record<string, unknown> = { model: edits.upstreamModel, input, parameters };
  for (const name of [...FORBIDDEN_FIELDS, ...edits.refusedMembers]) delete body[name];
  const known = new Set([...LOOSE_PARAMETERS, 'parameters', 'input']);
  const warnings = [
    ...Object.keys(extras).filter((name) => !known.has(name)),
    ...SETTINGS.filter(([name]) => request[name] !== undefined).map(([, setting]) => setting),
  ].map((setting): Warning => ({ setting, reason: 'this vendor has no such setting' }));
  if (form === 'prompt' && request.images.length > 0)
    warnings.push({ setting: 'image', reason: 'this model starts from no image' });
  warnOfOtherFormatFields(request.vendorOptions, CALLER_FORMAT, warnings);
  return { body: Buffer.from(JSON.stringify(body)), warnings };
}

function inputOf(form: AliImageForm, request: ImageRequest): Readonly<Record<string, unknown>> {
  const sources = request.images.map((source) => writeMediaAddress(source, 'image/png'));
  switch (form) {
    case 'messages': {
      const content = [...sources.map((image) => ({ image })), { text: request.prompt }];
      return { messages: [{ role: 'user', content }] };
    }
    case 'prompt':
      return { prompt: request.prompt };
    case 'images':
      return { prompt: request.prompt, images: sources };
  }
}

/** Images of a reply: of a conversation's content, or of a task's results. Failed ones have no address. */
function imagesOf(document: Document): readonly MediaSource[] {
  const output = documentOf(document['output']);
  const rows = [
    ...listOf(output['results']),
    ...listOf(output['choices']).flatMap((choice) =>
      listOf(documentOf(documentOf(choice)['message'])['content']),
    ),
  ];
  return rows.flatMap((row): readonly MediaSource[] => {
    const picture = documentOf(row);
    const url = textOf(picture['url']) ?? textOf(picture['image']);
    if (url !== undefined) return [{ kind: 'url', url }];
    const base64 = textOf(picture['b64_image']);
    return base64 === undefined ? [] : [{ kind: 'base64', base64, mediaType: 'image/png' }];
  });
}

function readReply(body: Buffer): Result<ImageReply, RelayError> {
  const document = parseDocument(body, JSON.parse);
  const pictures = document === undefined ? [] : imagesOf(document);
  if (document === undefined || pictures.length === 0) {
    return fail(refusal('no-pictures'));
  }
  const output = documentOf(document['output']);
  const words = listOf(output['choices'])
    .flatMap((choice) => listOf(documentOf(documentOf(choice)['message'])['content']))
    .flatMap((row) => textOf(documentOf(row)['text']) ?? []);
  const results = listOf(output['results']).map(documentOf);
  return ok({
    createdAtSeconds: undefined,
    images: pictures.map((source, index) => {
      const revisedPrompt = textOf(results[index]?.['actual_prompt']) ?? words[index] ?? words[0];
      return { source, ...(revisedPrompt === undefined ? {} : { revisedPrompt }) };
    }),
    usage: undefined,
  });
}

/** Counts images: the vendor's figure where it is plausible, else those in the reply. */
class AliImageMeter extends ReplyMeter {
  constructor(private readonly shape: CallShape) {
    super();
    this.units = 0;
  }

  override ownCount(): Usage {
    const factor = Number(this.shape.callFactor ?? '1');
    const each = Math.ceil((Math.round(factor * 100) * TOKENS_PER_IMAGE) / 100);
    return {
      input: { total: this.shape.promptTokens },
      output: { total: (this.units ?? 0) * each },
    };
  }

  override readWhole(body: Buffer): WholeVerdict {
    const document = parseDocument(body, JSON.parse);
    if (document === undefined) return 'malformed';
    const made = imagesOf(document).length;
    const output = documentOf(document['output']);
    const failed = documentOf(listOf(output['results'])[0]);
    if (made === 0) {
      const code = document['code'] ?? output['code'] ?? failed['code'];
      if (code === undefined && output['task_status'] === undefined) return 'empty';
      const message = document['message'] ?? output['message'] ?? failed['message'];
      return this.failedWith({ code: code ?? output['task_status'], message });
    }
    const told = numberOf(documentOf(document['usage'])['image_count']);
    const isTrue = told !== undefined && Number.isInteger(told) && told > 0 && told <= this.shape.choices;
    this.units = isTrue ? told : made;
    this.hasFinish = true;
    return 'answer';
  }
}
