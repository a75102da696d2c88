import { spliceBody } from '../shared/requests/splice-body.js';
import type { ApiFormat } from '../contract/api-format.js';
import { IMAGE_FORMATS, type ImageTask } from './id.js';
import { ImageMeter } from './meter.js';
import { parseImageCall } from './parse-call.js';
import { ImageReplyReader, readImageReply } from './read-reply.js';
import {
  hasRequestedBytes,
  ImageReplyWriter,
  writeImageReply,
  writeImageReplyAsStream,
} from './write-reply.js';
import { writeImageRequest } from './write-request.js';

/** OpenAI's picture grammar, one format per address: https://platform.openai.com/docs/api-reference/images (read 2026-11-21). */
const imageFormat = (task: ImageTask): ApiFormat<'image'> => ({
  id: IMAGE_FORMATS[task],
  replyType: 'application/json',
  parseCall: parseImageCall(task),
  spliceRequest: spliceBody,
  writeRequest: writeImageRequest,
  openMeter: (call) => new ImageMeter(call.shape),
  readReply: readImageReply,
  openReplyReader: () => new ImageReplyReader(),
  writeReply: writeImageReply,
  hasRequestedForm: hasRequestedBytes,
  openReplyWriter: (context) => new ImageReplyWriter(task, context),
  writeReplyAsStream: (reply, context) => writeImageReplyAsStream(task, reply, context),
});

export const openaiImages = imageFormat('generate');
export const openaiImageEdits = imageFormat('edit');
export const openaiImageVariations = imageFormat('vary');
