/** Key of this format in vendor options and registries. */
export const SPEECH_FORMAT = 'openai-speech';
