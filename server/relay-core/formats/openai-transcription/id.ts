/** Keys of these wires in vendor options and registries: one grammar, two addresses. */
export const TRANSCRIPTION_WIRE = 'openai-transcription';
export const TRANSLATION_WIRE = 'openai-translation';
export const TRANSCRIPTION_WIRES = { transcribe: TRANSCRIPTION_WIRE, translate: TRANSLATION_WIRE } as const;
export type TranscriptionTask = keyof typeof TRANSCRIPTION_WIRES;
