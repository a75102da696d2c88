import type { ImageReply } from '../../model/image.js';
import type { MediaSource } from '../../model/content.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { Usage } from '../../model/usage.js';
import { eventJson } from '../shared/metering/event-data.js';
import type { ParsedCall, ReplyContext, ReplyWriter } from '../contract/api-format.js';
import { IMAGES_FORMAT, type ImageTask } from './id.js';
import { writeImageUsage } from './usage.js';

export function writeImageReply(reply: ImageReply, context: ReplyContext): Buffer {
  const { usage } = reply;
  return Buffer.from(
    JSON.stringify({
      ...reply.vendorOptions?.[IMAGES_FORMAT],
      created: reply.createdAtSeconds ?? context.createdAtSeconds,
      data: reply.images.map(({ source, revisedPrompt }) => ({
        ...memberOf(source),
        ...(revisedPrompt === undefined ? {} : { revised_prompt: revisedPrompt }),
      })),
      ...(usage === undefined ? {} : { usage: writeImageUsage(usage) }),
    }),
  );
}

function memberOf(source: MediaSource): Readonly<Record<string, string>> {
  switch (source.kind) {
    case 'url':
      return { url: source.url };
    case 'base64':
      return { b64_json: source.base64 };
    case 'vendor-file':
      return { file_id: source.fileId };
  }
}

const BYTES = Buffer.from('"b64_json"');
const HEAD_BYTES = 32;
const AS_URL = /^\s*:\s*"\s*data:/i;

/**
 * Some compatible vendors return addresses whatever the request is, others a data URL where base64 belongs: callers that asked for
 * bytes decode what stands there.
 */
export function hasRequestedBytes(body: Buffer, call: ParsedCall<'image'>): boolean {
  const at = body.indexOf(BYTES);
  if (at !== -1) {
    const from = at + BYTES.length;
    return !AS_URL.test(body.toString('latin1', from, from + HEAD_BYTES));
  }
  const request = call.neutral();
  return !request.ok || request.value.delivery !== 'base64';
}

/** A whole reply for a caller that requested a stream: one event per image, the usage with the last. */
export function writeImageReplyAsStream(task: ImageTask, reply: ImageReply, context: ReplyContext): string {
  const writer = new ImageReplyWriter(task, context);
  let frames = '';
  for (const [block, { source }] of reply.images.entries())
    frames += writer.write({ type: 'media', block, media: 'image', source });
  if (reply.usage !== undefined) frames += writer.write({ type: 'usage', usage: reply.usage });
  return frames + writer.end();
}

/** Neutral events → OpenAI's image events. The last image waits for the usage. */
export class ImageReplyWriter implements ReplyWriter {
  private waiting: MediaSource | undefined;
  private usage: Usage | undefined;
  private readonly type: string;

  constructor(
    task: ImageTask,
    private readonly context: ReplyContext,
  ) {
    this.type = task === 'generate' ? 'image_generation' : 'image_edit';
  }

  write(event: StreamEvent): string {
    if (event.type === 'usage') this.usage = event.usage;
    else if (event.type === 'vendor-part' && event.apiFormat === IMAGES_FORMAT) return frame(event.value);
    else if (event.type === 'media' && event.media === 'image') {
      const frames = this.flush();
      this.waiting = event.source;
      return frames;
    }
    return '';
  }

  end(): string {
    return this.flush(this.usage);
  }

  private flush(usage?: Usage): string {
    const { waiting } = this;
    if (waiting === undefined) return '';
    this.waiting = undefined;
    return frame({
      type: `${this.type}.completed`,
      ...memberOf(waiting),
      created_at: this.context.createdAtSeconds,
      ...(usage === undefined ? {} : { usage: writeImageUsage(usage) }),
    });
  }
}

function frame(value: unknown): string {
  const type = (value as { readonly type?: unknown }).type;
  const name = typeof type === 'string' && /^[a-z_.]+$/.test(type) ? `event: ${type}\n` : '';
  return `${name}data: ${eventJson(value)}\n\n`;
}
