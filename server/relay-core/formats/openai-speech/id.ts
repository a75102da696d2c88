/** Key of this wire in vendor options and registries. */
export const SPEECH_FORMAT = 'openai-speech';
