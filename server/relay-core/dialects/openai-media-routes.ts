import { openaiImageEdits, openaiImages, openaiImageVariations } from '../formats/openai-images/index.js';
import { openaiModeration } from '../formats/openai-moderation/index.js';
import { openaiSpeech } from '../formats/openai-speech/index.js';
import { openaiTranscription, openaiTranslation } from '../formats/openai-transcription/index.js';
import type { DialectRoute } from './dialect.js';

/** Pictures, sound and moderation of OpenAI's client API. */
export const OPENAI_MEDIA_ROUTES: readonly DialectRoute[] = [
  { method: 'POST', path: '/v1/images/generations', operation: 'image', apiFormat: openaiImages },
  {
    method: 'POST',
    path: '/v1/images/edits',
    operation: 'image',
    apiFormat: openaiImageEdits,
    bodyType: 'json-or-multipart',
  },
  {
    method: 'POST',
    path: '/v1/images/variations',
    operation: 'image',
    apiFormat: openaiImageVariations,
    bodyType: 'multipart',
  },
  { method: 'POST', path: '/v1/audio/speech', operation: 'speak', apiFormat: openaiSpeech },
  {
    method: 'POST',
    path: '/v1/audio/transcriptions',
    operation: 'transcribe',
    apiFormat: openaiTranscription,
    bodyType: 'multipart',
  },
  {
    method: 'POST',
    path: '/v1/audio/translations',
    operation: 'transcribe',
    apiFormat: openaiTranslation,
    bodyType: 'multipart',
  },
  { method: 'POST', path: '/v1/moderations', operation: 'moderate', apiFormat: openaiModeration },
];
