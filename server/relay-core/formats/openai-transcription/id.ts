/** Keys of these formats in vendor options and registries: one grammar, two addresses. */
export const TRANSCRIPTION_FORMAT = 'openai-transcription';
const TRANSLATION_FORMAT = 'openai-translation';
export const TRANSCRIPTION_FORMATS = {
  transcribe: TRANSCRIPTION_FORMAT,
  translate: TRANSLATION_FORMAT,
} as const;
export type TranscriptionTask = keyof typeof TRANSCRIPTION_FORMATS;
