/** Names that a text lists between white space. */
export const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Models of OpenAI, and of resellers that differ from it in their address only. */
export const OPENAI_MODELS = names(`
  gpt-5.4 gpt-5.4-pro gpt-5.3-codex gpt-5.3-chat-latest gpt-5.2 gpt-5.2-pro gpt-5.2-codex
  gpt-5.2-chat-latest gpt-5.1 gpt-5.1-codex gpt-5.1-codex-mini gpt-5.1-codex-max
  gpt-5.1-chat-latest gpt-5 gpt-5-mini gpt-5-nano gpt-5-pro gpt-5-codex gpt-5-chat-latest
  gpt-5-search-api gpt-4.1 gpt-4.1-mini gpt-4.1-nano gpt-4o gpt-4o-2024-05-13 gpt-4o-2024-08-06
  gpt-4o-2024-11-20 gpt-4o-mini chatgpt-4o-latest o1 o1-pro o3 o3-pro o3-mini o3-mini-high
  o3-mini-medium o3-mini-low o4-mini o3-deep-research o4-mini-deep-research computer-use-preview
  gpt-4o-search-preview gpt-4o-mini-search-preview gpt-4o-audio-preview gpt-4o-mini-audio-preview
  gpt-audio gpt-audio-mini gpt-audio-1.5 gpt-realtime gpt-realtime-mini gpt-realtime-1.5
  gpt-4o-transcribe gpt-4o-mini-transcribe gpt-4o-transcribe-diarize whisper-1 tts-1 tts-1-hd
  gpt-4o-mini-tts text-embedding-3-small text-embedding-3-large text-embedding-ada-002
  omni-moderation-latest gpt-image-1 gpt-image-1-mini gpt-image-1.5 chatgpt-image-latest dall-e-2
  dall-e-3 gpt-4-turbo gpt-4 gpt-3.5-turbo gpt-3.5-turbo-instruct davinci-002 babbage-002
`);
