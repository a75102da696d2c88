import type { Usage } from './usage.js';
import type { VendorOptions } from './vendor-options.js';

/** Request for speech synthesis. */
export interface SpeechRequest {
  readonly text: string;
  readonly voice: string | undefined;
  readonly instructions?: string;
  /** mp3, opus, aac, flac, wav, pcm. */
  readonly format?: string;
  readonly speed?: number;
  readonly vendorOptions?: VendorOptions;
}

export interface SpeechReply {
  readonly audio: Buffer;
  readonly mediaType: string;
  readonly usage: Usage | undefined;
}

/** Request for a transcript, in the audio's own language or in English. */
export interface TranscriptionRequest {
  readonly task: 'transcribe' | 'translate';
  readonly file: Buffer;
  readonly fileName: string;
  readonly mediaType: string | undefined;
  readonly language?: string;
  readonly prompt?: string;
  /** json, text, srt, verbose_json, vtt. */
  readonly format?: string;
  readonly temperature?: number;
  readonly vendorOptions?: VendorOptions;
}

export interface TranscriptionReply {
  readonly text: string;
  readonly language?: string;
  readonly durationSeconds?: number;
  /** Pieces with times in seconds. */
  readonly segments?: readonly { readonly start: number; readonly end: number; readonly text: string }[];
  readonly usage: Usage | undefined;
  readonly vendorOptions?: VendorOptions;
}
